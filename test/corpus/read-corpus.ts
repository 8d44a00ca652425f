import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parsePage, project } from '../../src/pages/index.ts';
import type { PageFacts, ParsedPage } from '../../src/pages/model.ts';

export const CORPUS = join(import.meta.dirname, '../../examples/corpus');

export interface CorpusPage {
  readonly path: string;
  readonly text: string;
  readonly parsed: ParsedPage;
  readonly facts: PageFacts;
}

/** Every page of the demo corpus, taken apart as the server does it. */
export function readCorpus(): readonly CorpusPage[] {
  const names = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).map(name => name.split(sep).join('/'));
  return names
    .filter(name => name.endsWith('.md'))
    .toSorted()
    .map(path => {
      const text = readFileSync(join(CORPUS, path), 'utf8');
      return { path, text, parsed: parsePage(text), facts: project(`markdown/${path}`, text).facts };
    });
}
