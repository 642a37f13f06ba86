/** The pieces one after the other, in memory of their own that can be moved to another thread. */
export function utf8Of(pieces: Iterable<string>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = Array.from(pieces, (piece) => encoder.encode(piece));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
