import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Question {
  readonly id: string;
  readonly text: string;
  /** Grade by page id; a question without any asks for something that is not there. */
  readonly relevant: ReadonlyMap<string, number>;
}

export interface Dataset {
  readonly questions: readonly Question[];
  /** Page id to page text. */
  readonly pages: ReadonlyMap<string, string>;
}

interface Document {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

/**
 * Reads a folder in BEIR layout: `queries.jsonl`, `qrels/test.tsv` and `corpus.jsonl`, whose documents become pages. With
 * `pages`, a folder of markdown pages takes the place of the corpus, and the qrels name page ids.
 */
export function readDataset(folder: string, pages?: string): Dataset {
  const corpus = pages === undefined ? documents(join(folder, 'corpus.jsonl')) : pageFiles(pages);
  const idOf = pages === undefined ? pageIdOf : (id: string): string => id;
  const grades = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(folder, 'qrels', 'test.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)) {
    const [question = '', document = '', grade = ''] = line.split('\t');
    const known = grades.get(question) ?? new Map<string, number>();
    grades.set(question, known);
    if (Number(grade) > 0) known.set(idOf(document), Number(grade));
  }
  const questions = lines<Document>(join(folder, 'queries.jsonl')).flatMap(({ _id, text }) => {
    const relevant = grades.get(_id) ?? (pages === undefined ? undefined : new Map<string, number>());
    return relevant ? [{ id: _id, text, relevant }] : [];
  });
  return { questions, pages: corpus };
}

const lines = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as Row);

/** Ids of data sets may hold anything; page ids may not. */
const pageIdOf = (id: string): string =>
  `markdown/instances/document/${encodeURIComponent(id).replaceAll('%', '~')}.md`;

function documents(file: string): Map<string, string> {
  return new Map(
    lines<Document>(file).map(({ _id, title, text }) => {
      const header = ['type: instance', 'skill: document', ...(title ? [`title: ${JSON.stringify(title)}`] : [])];
      return [pageIdOf(_id), `---\n${header.join('\n')}\n---\n\n${text}\n`];
    }),
  );
}

function pageFiles(folder: string): Map<string, string> {
  if (!existsSync(folder)) throw new Error(`no folder ${folder}`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.md'));
  return new Map(
    files
      .toSorted()
      .map(file => [`markdown/${relative('.', file).replaceAll('\\', '/')}`, readFileSync(join(folder, file), 'utf8')]),
  );
}
