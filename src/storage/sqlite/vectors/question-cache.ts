import type { QuestionVector } from '../../../search/vectors/ports.ts';

const MOST = 500;

/** Questions asked last, by space and text. */
export function questionCache() {
  const kept = new Map<string, QuestionVector>();
  const keyOf = (space: string, text: string): string => JSON.stringify([space, text]);
  return {
    get(space: string, text: string): QuestionVector | undefined {
      const key = keyOf(space, text);
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
      }
      return found;
    },
    put(question: QuestionVector): QuestionVector {
      kept.set(keyOf(question.space, question.text), question);
      if (kept.size > MOST) kept.delete(kept.keys().next().value!);
      return question;
    },
  };
}
