/**
 * LZ4 frames (lz4_Frame_format.md and lz4_Block_format.md of the lz4 project), as profilers for Java compress recordings. Checksums are not verified:
 * the content is read by a reader that refuses what is damaged.
 */
type Lz4 =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: "too_large" | "damaged"; readonly message: string };

const lz4Magic = 0x184d2204;
const skippableMagic = 0x184d2a50;
const [versionBits, blockChecksum, contentSize, contentChecksum, dictionary] = [0xc0, 0x10, 0x08, 0x04, 0x01];
/** Matches are at least this long. */
const matchMin = 4;

class Fault extends Error {
  readonly reason: "too_large" | "damaged";

  constructor(reason: "too_large" | "damaged", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The content of all frames, at most `bytesMax` bytes. */
export function inflateLz4(body: Uint8Array, bytesMax: number): Lz4 {
  try {
    return { ok: true, bytes: new Lz4Frames(body, bytesMax).read() };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

/** More than a block, which is written at once. */
const headBytesMax = 5 * 1024 * 1024;

/** The beginning of the content; empty where it is damaged. */
export function lz4Head(body: Uint8Array): Uint8Array {
  const frames = new Lz4Frames(body, headBytesMax);
  try {
    return frames.read();
  } catch (error) {
    if (error instanceof Fault) return frames.content;
    throw error;
  }
}

class Lz4Frames {
  readonly #body: Uint8Array;
  readonly #view: DataView;
  readonly #bytesMax: number;
  #at = 0;
  #content: Uint8Array<ArrayBuffer>;
  #length = 0;
  /** Matches do not reach into the frame before. */
  #frameStart = 0;

  constructor(body: Uint8Array, bytesMax: number) {
    this.#body = body;
    this.#view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.#bytesMax = bytesMax;
    this.#content = new Uint8Array(Math.min(bytesMax, Math.max(1024, 3 * body.length)));
  }

  read(): Uint8Array {
    while (this.#at < this.#body.length) {
      const magic = this.#uint32();
      if (magic === lz4Magic) this.#readFrame();
      else if ((magic & ~0xf) >>> 0 === skippableMagic) this.#skip(this.#uint32());
      else throw new Fault("damaged", "something other than a frame follows");
    }
    return this.content;
  }

  get content(): Uint8Array {
    return this.#content.subarray(0, this.#length);
  }

  #readFrame(): void {
    this.#frameStart = this.#length;
    const flags = this.#byte();
    this.#byte();
    if ((flags & versionBits) !== 0x40) throw new Fault("damaged", "its version is unknown");
    if ((flags & dictionary) !== 0) throw new Fault("damaged", "it needs a dictionary");
    // The size is a promise: room is made as blocks need it.
    this.#skip((flags & contentSize ? 8 : 0) + 1);
    for (let size = this.#uint32(); size !== 0; size = this.#uint32()) {
      const isPlain = size >= 0x80000000;
      const end = this.#at + (size & 0x7fffffff);
      if (end > this.#body.length) throw cutOff();
      if (isPlain) this.#copyLiterals(end - this.#at);
      else this.#readBlock(end);
      this.#skip(flags & blockChecksum ? 4 : 0);
    }
    this.#skip(flags & contentChecksum ? 4 : 0);
  }

  /** Sequences of literals and a match each; the last one has no match. */
  #readBlock(end: number): void {
    for (;;) {
      const token = this.#byte();
      this.#copyLiterals(this.#extended(token >>> 4));
      if (this.#at === end) return;
      if (this.#at > end) throw cutOff();
      const offset = this.#byte() | (this.#byte() << 8);
      this.#copyMatch(offset, matchMin + this.#extended(token & 15));
    }
  }

  /** A length of 15 goes on in the bytes that follow. */
  #extended(length: number): number {
    if (length < 15) return length;
    let sum = length;
    for (let byte = 255; byte === 255; sum += byte) byte = this.#byte();
    return sum;
  }

  #copyLiterals(length: number): void {
    this.#makeRoom(length);
    const from = this.#at;
    this.#skip(length);
    this.#content.set(this.#body.subarray(from, this.#at), this.#length);
    this.#length += length;
  }

  /** A match may overlap what it writes: then it repeats. */
  #copyMatch(offset: number, length: number): void {
    if (offset === 0 || offset > this.#length - this.#frameStart)
      throw new Fault("damaged", "a match begins before the content");
    this.#makeRoom(length);
    const content = this.#content;
    const start = this.#length;
    this.#length += length;
    if (offset >= length) content.copyWithin(start, start - offset, start - offset + length);
    else for (let at = start; at < this.#length; at++) content[at] = content[at - offset]!;
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#content.length) return;
    if (needed > this.#bytesMax) throw new Fault("too_large", "");
    const larger = new Uint8Array(Math.min(this.#bytesMax, Math.max(needed, 2 * this.#content.length)));
    larger.set(this.#content.subarray(0, this.#length));
    this.#content = larger;
  }

  #uint32(): number {
    const from = this.#at;
    this.#skip(4);
    return this.#view.getUint32(from, true);
  }

  #byte(): number {
    if (this.#at >= this.#body.length) throw cutOff();
    return this.#body[this.#at++]!;
  }

  #skip(length: number): void {
    if (length > this.#body.length - this.#at) throw cutOff();
    this.#at += length;
  }
}

function cutOff(): Fault {
  return new Fault("damaged", "it is cut off");
}
