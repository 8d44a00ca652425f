import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarIn } from '../../src/rules/index.ts';
import { dueBefore } from '../../src/rules/decisions/due.ts';
import { ANNA, confirmed, stocked } from './world.ts';

const ZONES = ['Europe/Berlin', 'UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/St_Johns', 'Asia/Kathmandu'];

test('[RU105] due is what more days of the calendar have passed since, in any zone and on any day of the year', () => {
  const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      instant,
      fc.integer({ min: 1, max: 400 }),
      fc.nat({ max: 800 * 24 }),
      (zone, now, days, hours) => {
        const calendar = calendarIn(zone);
        const before = dueBefore({ calendar, recheckAfterDays: days }, now);
        const edge = Date.parse(before);
        for (const reviewed of [edge - 1, edge, now.getTime() - hours * 3_600_000]) {
          const age = calendar.daysBetween(new Date(reviewed), now);
          expect([reviewed < edge, age > days]).toEqual([reviewed < edge, reviewed < edge]);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('[RU105] rules, inbox and queue agree about what is due', async () => {
  const here = await stocked({ recheckAfterDays: 30, now: new Date('2026-03-12T22:59:59.000Z') });
  try {
    const id = await confirmed(here);
    const due = async (): Promise<unknown[]> => [
      (await here.do('readRule', { ref: `rule/${id}` })).head.recheck !== null,
      (await here.do('inbox', {}, ANNA, 'approval')).scopes[0].counts.due === 1,
      (await here.do('recheck', {}, ANNA, 'approval')).scopes[0].due === 1,
      (await here.do('showRule', { id }, ANNA, 'approval')).standing.due,
    ];
    // An hour was lost to summer time.
    here.pass(30 * 86_400_000 - 3_600_000);
    expect(await due()).toEqual([false, false, false, false]);
    // Midnight in Berlin.
    here.pass(1_000);
    expect(await due()).toEqual([true, true, true, true]);
  } finally {
    here.remove();
  }
});
