/** Just enough of protobuf to write a small ONNX file by hand. */
export const number = (field: number, of: number): Buffer => Buffer.from([...varint(field * 8), ...varint(of)]);
export const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(content.length)]), content]);
export const text = (field: number, content: string): Buffer => bytes(field, Buffer.from(content));

/** An input or output: `type` 1 is float, 7 is int64; a text in the shape is a size that varies. */
export function value(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dims = shape.map(size => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  return Buffer.concat([
    text(1, name),
    bytes(2, bytes(1, Buffer.concat([number(1, type), bytes(2, Buffer.concat(dims))]))),
  ]);
}

const varint = (of: number): number[] => (of < 128 ? [of] : [(of & 127) | 128, ...varint(of >>> 7)]);
