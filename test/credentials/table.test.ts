import { expect, test } from 'vitest';
import { SCENES } from './modes.ts';
import { shown, SURFACES } from './surfaces.ts';
import { rowsOf, TABLES, type Mode } from './tables.ts';

test.each(Object.keys(TABLES) as Mode[])('[AU79] in mode %s every credential is who the table says', async mode => {
  const { columns, rows } = rowsOf(mode);
  expect(columns).toEqual(['credential', ...SURFACES, 'subject']);
  const { world, credentials, ruleId, end } = await SCENES[mode]();
  try {
    expect(rows.map(row => row.credential)).toEqual(Object.keys(credentials));
    for (const { credential, answers } of rows) {
      expect([credential, ...(await shown(world, credentials[credential]!, ruleId))]).toEqual([credential, ...answers]);
    }
  } finally {
    await end();
  }
});

test('[AU92] no bearer, token or JWT of a channel for agents decides, whatever the mode', () => {
  const decisions = (Object.keys(TABLES) as Mode[]).flatMap(mode =>
    rowsOf(mode).rows.filter(({ answers }) => answers[SURFACES.indexOf('decision')] === 'decides'),
  );
  expect(decisions.map(({ credential }) => credential)).toEqual([
    'session',
    'session',
    'person on approval',
    'person on approval, session',
  ]);
});
