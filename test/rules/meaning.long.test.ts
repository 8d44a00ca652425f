import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { semanticStage } from '../../src/rules/search/stages/semantic.ts';
import type { LaterStages } from '../../src/rules/search/stages/ports.ts';
import { localEmbedder } from '../../src/storage/models/local/local.ts';
import { sqliteRuleVectors } from '../../src/storage/sqlite/scopes/rule-vectors.ts';
import { confirmed, stocked } from './world.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/assets/models/multilingual-e5-small');
const there = existsSync(FOLDER);
const title = there ? '' : `: skipped, there is no ${FOLDER}`;

test.skipIf(!there)(
  `[RU86] a model finds rules of another language, which share no word with the question${title}`,
  async () => {
    const embedder = await localEmbedder({ folder: FOLDER, dim: null, threads: 1 });
    const later: { stages?: LaterStages } = {};
    const here = await stocked({ scopes: ['sales'], later });
    try {
      const vectors = sqliteRuleVectors(here.files);
      later.stages = {
        b: semanticStage({
          embedder: async () => embedder,
          vectors,
          allowed: () => ['local'],
          ticks: () => performance.now(),
          report: (event, fields) => expect.fail(`${event} ${JSON.stringify(fields)}`),
        }),
      };
      const quotes = [
        'Rechnungen sind innerhalb von dreißig Tagen ohne Abzug zu bezahlen',
        'Paletten dürfen nur bis zur zweiten Ebene gestapelt werden',
        'Urlaub muss vier Wochen vorher bei der Leitung beantragt werden',
        'Der Hund des Hausmeisters darf nicht in die Werkstatt',
      ];
      const ids: string[] = [];
      for (const quote of quotes) {
        const source = { kind: 'manual', quote, link: null };
        ids.push(await confirmed(here, { statement: quote, source, keywords: [], relations: [] }));
      }
      const ask = async (text: string) => here.do('searchRules', { scopes: ['sales'], text });
      await ask('first');
      while ((await vectors.missing('sales', embedder.space, 1)).length > 0) await new Promise(setImmediate);
      const questions = [
        'Within how many days must an invoice be paid?',
        'How high can we pile up the goods?',
        'How early do I have to ask for a holiday?',
        'Are animals allowed where machines are repaired?',
      ];
      for (const [at, text] of questions.entries()) {
        const answer = await ask(text);
        expect(answer['stages'].b).toMatchObject({ state: 'ran', reason: null });
        const [best] = answer['bundles'];
        expect([text, best.head.ref]).toEqual([text, `rule/${ids[at]}@2`]);
        expect(best.head.found_via).toContain('semantic');
        expect(best.head.rank.b).toBeGreaterThan(0.7);
      }
    } finally {
      here.remove();
      await embedder.close();
    }
  },
);
