import type { BoundOp } from '../kernel/op.ts';
import { renderPagesForModel } from '../security/index.ts';
import { propertyNames } from './wire-schema.ts';

export interface Written {
  readonly text: string;
  readonly structured: string;
  /** Both as an MCP result has them, behind `{"content":`, where that is at hand. */
  readonly ready?: Buffer;
}

/**
 * How results of ops that are not rules are written: as JSON, text and structure alike (E012), or, with `framed`, with a text in
 * which what others wrote stands in frames, and `untrusted` beside what is structured.
 */
export function pageResults(framed: boolean): (op: BoundOp, payload: Record<string, unknown>) => Written {
  return framed ? framedWriter() : jsonWriter();
}

/** What follows `{"content":` in an MCP result; `structured` is JSON text already. */
export const contentText = (text: string, structured: string): string =>
  `[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${structured}`;

/** JSON text of a frozen payload is kept as long as the payload is, for its op will answer it again. */
function jsonWriter(): (op: BoundOp, payload: object) => Written {
  const kept = new WeakMap<object, Written>();
  return (_op, payload) => {
    const found = kept.get(payload);
    if (found) return found;
    const text = JSON.stringify(payload);
    if (!Object.isFrozen(payload)) return { text, structured: text };
    const ready = Buffer.from(contentText(text, text));
    const made = { text, structured: text, ready };
    kept.set(payload, made);
    return made;
  };
}

function framedWriter(): (op: BoundOp, payload: Record<string, unknown>) => Written {
  const names = new Map<BoundOp, ReadonlySet<string>>();
  return (op, payload) => {
    const declared = names.get(op) ?? propertyNames(op.output);
    names.set(op, declared);
    const text = renderPagesForModel(payload, declared);
    return { text, structured: JSON.stringify({ ...payload, untrusted: true }) };
  };
}
