import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { world, type World } from './world.ts';

describe('arguments of a call', () => {
  let w: World;
  beforeAll(async () => void (w = await world()));
  afterAll(() => w.stop(0));

  /** What the op got for these arguments. */
  const got = async (args: unknown): Promise<unknown> =>
    (await w.call('echo', args)).json.result?.structuredContent.given;

  test.each([
    [undefined, 'text', 'required'],
    [{}, 'text', 'required'],
    [{ text: null }, 'text', 'required'],
    [{ text: 5 }, 'text', 'string'],
    [{ text: 'x', count: 1.5 }, 'count', 'int'],
    [{ text: 'x', count: 'five' }, 'count', 'number'],
    [{ text: 'x', count: 1e9 }, 'count', '1000'],
    [{ text: 'x', nested: { depth: 1 } }, 'nested.name', 'string'],
    [{ text: 'x', tags: ['a', 7] }, 'tags.1', 'string'],
    [{ text: 'x', tags: 'a, b' }, 'tags', 'array'],
    [{ text: 'x', flag: 'yes' }, 'flag', 'boolean'],
    ['no json', 'arguments', 'object'],
    ['[1]', 'arguments', 'object'],
    [[1], 'arguments', 'object'],
    [5, 'arguments', 'object'],
  ])('[HT8] %j is refused at %s', async (args, place, why) => {
    const { status, json } = await w.call('echo', args);
    expect([status, json.id, json.error.code]).toEqual([200, 1, -32602]);
    expect(json.error.message.startsWith(`echo: ${place}: `)).toBe(true);
    expect(json.error.message).toContain(why);
    expect(json.error.data).toMatchObject({ code: 'invalid_params', retryable: false, place });
  });

  test('[HT8] every place that is wrong is named', async () => {
    const { data } = (await w.call('echo', { count: -1, flag: 3 })).json.error;
    expect(data.issues.map((issue: { place: string }) => issue.place)).toEqual(['text', 'count', 'flag']);
  });

  test('[HT8] arguments nested beyond reason are refused, not a fault', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x","tags":${deep}}}}`;
    expect((await w.post(body)).json.error.code).toBe(-32602);
  });

  test('[HT9] unknown arguments are left out and named', async () => {
    const { json } = await w.call('echo', { text: 'x', Tag: ['a'], zzz: 1, constructor: 2 });
    expect(json.result.structuredContent.given).toEqual({ text: 'x' });
    expect(json.result['_meta']).toEqual({
      ignored_arguments: ['Tag', 'zzz', 'constructor'],
      did_you_mean: { Tag: 'tags' },
    });
  });

  test('[HT9] a key that JavaScript minds is ignored like any other', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x","__proto__":{"flag":true}}}}`;
    const { result } = (await w.post(body)).json;
    expect(result.structuredContent.given).toEqual({ text: 'x' });
    expect(result['_meta'].ignored_arguments).toEqual(['__proto__']);
  });

  test.each([
    [{ count: '5' }, { count: 5 }],
    [{ ratio: '-0.25e1' }, { ratio: -2.5 }],
    [{ flag: 'false' }, { flag: false }],
    [{ flag: 'True' }, { flag: true }],
    [{ tags: '["a", "b"]' }, { tags: ['a', 'b'] }],
    [{ filter: '{"k": "5"}' }, { filter: { k: '5' } }],
    [{ nested: '{"depth": "3", "name": "4"}' }, { nested: { depth: 3, name: '4' } }],
    [{ nested: { depth: '3', name: 'n' } }, { nested: { depth: 3, name: 'n' } }],
    [{ mixed: ['1', 2] }, { mixed: [1, 2] }],
  ])('[HT10] %j stands for %j', async (sent, meant) => {
    const { json } = await w.call('echo', { text: 'x', ...sent });
    expect(json.result.structuredContent.given).toEqual({ text: 'x', ...meant });
    expect(json.result['_meta']).toEqual({ coerced_arguments: Object.keys(sent) });
  });

  test('[HT10] the whole of the arguments may come as one text', async () => {
    expect(await got('{"text": "x", "count": "2"}')).toEqual({ text: 'x', count: 2 });
  });

  test.each([
    [{ text: '{"a": 1}' }],
    [{ text: '[1]' }],
    [{ text: 'true' }],
    [{ text: '5' }],
    [{ text: 'null' }],
    [{ text: 'x', maybe: 'null' }],
    [{ text: 'x', either: '5' }],
    [{ text: 'x', mixed: '[1]' }],
    [{ text: 'x', any: '{"a": 1}' }],
    [{ text: 'x', filter: { a: '5', b: 'true', c: '[1]' } }],
    [{ text: 'x', tags: ['1', '["a"]'] }],
  ])('[HT10] %j is taken as it is', async args => {
    const { json } = await w.call('echo', args);
    expect(json.result.structuredContent.given).toEqual(args);
    expect(json.result['_meta']).toBeUndefined();
  });

  test('[HT10] no text whatever is parsed or changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), async text => {
        expect(await got({ text })).toEqual({ text: text.toWellFormed() });
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [{ words: 'x' }, { text: 'x' }, undefined],
    [{ text: 'a', words: 'b' }, { text: 'a' }, ['words']],
    [{ text: 'x', count: null, tags: null, filter: null }, { text: 'x' }, undefined],
    [{ text: 'x', maybe: null, any: null }, { text: 'x', maybe: null, any: null }, undefined],
  ])('[HT11] %j is read as %j', async (sent, read, ignored) => {
    const { json } = await w.call('echo', sent);
    expect(json.result.structuredContent.given).toEqual(read);
    expect(json.result['_meta']?.ignored_arguments).toEqual(ignored);
  });
});
