import { stampHeader } from '../../../pages/index.ts';

/** The text with the mark that keeps a page archived wherever its text goes (E145); a text without a header stays as it is. */
export const archivedText = (content: string): string => stampHeader(content, 'archived', true) ?? content;

/** Whether a text bears that mark. */
export const saysArchived = (bytes: Uint8Array): boolean => {
  const content = Buffer.from(bytes).toString('utf8');
  return stampHeader(content, 'archived', true) === content;
};
