import type { BoundOp } from '../kernel/op.ts';
import { renderPagesForModel } from '../security/index.ts';
import { octetsOf, type Body, type Octets } from './octets.ts';
import { propertyNames } from './wire-schema.ts';

/**
 * How results of ops that are not rules are written: as JSON, text and structure alike (E012), or, with `framed`, with a text in
 * which what others wrote stands in frames, and `untrusted` beside what is structured. What is made is what follows
 * `{"content":` in an MCP result.
 */
export function pageResults(framed: boolean): (op: BoundOp, payload: Record<string, unknown>) => Body {
  return framed ? framedWriter() : jsonWriter();
}

/** What follows `{"content":` in an MCP result; `structured` is JSON text already. */
export const contentText = (text: string, structured: string): string =>
  `[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${structured}`;

/** What was made of a frozen payload is kept as long as the payload is, for its op will answer it again. */
function jsonWriter(): (op: BoundOp, payload: object) => Body {
  const kept = new WeakMap<object, Octets>();
  return (_op, payload) => {
    const found = kept.get(payload);
    if (found) return found;
    const text = JSON.stringify(payload);
    const content = contentText(text, text);
    if (!Object.isFrozen(payload)) return content;
    const ready = octetsOf(content);
    kept.set(payload, ready);
    return ready;
  };
}

function framedWriter(): (op: BoundOp, payload: Record<string, unknown>) => Body {
  const names = new Map<BoundOp, ReadonlySet<string>>();
  return (op, payload) => {
    const declared = names.get(op) ?? propertyNames(op.output);
    names.set(op, declared);
    const text = renderPagesForModel(payload, declared);
    return contentText(text, JSON.stringify({ ...payload, untrusted: true }));
  };
}
