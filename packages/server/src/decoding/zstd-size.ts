/** Sizes and fields as in RFC 8878, section 3.1. */
const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const blockBytesMax = 128 * 1024;
const contentSizeBytes = [0, 2, 4, 8] as const;
const dictionaryIdBytes = [0, 1, 2, 4] as const;

/**
 * The most bytes that a zstd body can inflate to, from the headers of its blocks: a block has at most 128 KiB, and usually all
 * but the last have. Only some writers state the size. A damaged body counts up to its damage.
 */
export function zstdSizeMax(body: Uint8Array): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let size = 0;
  for (let at = 0; at + 8 <= body.length; ) {
    const magic = view.getUint32(at, true);
    if (magic === frameMagic) {
      const frame = readFrame(view, at);
      size += frame.size;
      at = frame.end;
    } else if ((magic & ~0xf) >>> 0 === skippableMagic) at += 8 + view.getUint32(at + 4, true);
    else break;
  }
  return size;
}

/** A frame that is cut off ends beyond the body. */
function readFrame(view: DataView, start: number): { size: number; end: number } {
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 4) !== 0;
  const contentFlag = descriptor >> 6;
  const contentSize = contentFlag === 0 && isSingleSegment ? 1 : contentSizeBytes[contentFlag]!;
  const windowBytes = isSingleSegment ? 0 : 1;
  let size = 0;
  let at = start + 5 + windowBytes + dictionaryIdBytes[descriptor & 3]! + contentSize;
  for (let isLast = false; !isLast; ) {
    if (at + 3 > view.byteLength) return { size, end: view.byteLength };
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) !== 0;
    const kind = (header >> 1) & 3;
    const blockSize = header >> 3;
    // Blocks are raw, one byte repeated, or compressed.
    size += kind === 2 ? blockBytesMax : blockSize;
    at += 3 + (kind === 1 ? 1 : blockSize);
  }
  return { size, end: at + (hasChecksum ? 4 : 0) };
}
