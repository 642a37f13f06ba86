import { Interner } from "./interner.ts";
import type { Profile } from "./profile.ts";
import type { FrameTable } from "./stacks.ts";

/** function name, file, line */
const KEY = 3;

/**
 * The distinct frames of a profile. Frames are equal when function name, file and line are, whatever their
 * address, function id or place in the string table. Only locations that are asked for get frames.
 *
 * ```
 * location j -> frameIds[frameStart[j] .. frameStart[j + 1])   innermost inlined first, after resolve(j)
 * ```
 */
export class FrameInterner {
  readonly frameStart: Uint32Array;
  readonly frameIds: Uint32Array;
  /** 1 where resolve(location) has been called. */
  readonly isResolved: Uint8Array;
  private readonly profile: Profile;
  private readonly texts: string[] = [];
  private readonly textIds = new Map<string, number>();
  /** Text id + 1 by index of the string table. */
  private readonly textOf: Uint32Array;
  private readonly keys: Uint32Array;
  private readonly startLines: Int32Array;
  private readonly frames: Interner;

  constructor(profile: Profile) {
    const { locations, strings } = profile;
    this.profile = profile;
    this.frameStart = frameStarts(locations.lineStart);
    const frames = this.frameStart[locations.length]!;
    this.frameIds = new Uint32Array(frames);
    this.isResolved = new Uint8Array(locations.length);
    this.textOf = new Uint32Array(strings.length);
    const keys = new Uint32Array((frames + 1) * KEY);
    this.keys = keys;
    this.startLines = new Int32Array(frames);
    this.frames = new Interner(frames, (frame, from) => {
      const at = frame * KEY;
      return keys[at] === keys[from] && keys[at + 1] === keys[from + 1] && keys[at + 2] === keys[from + 2];
    });
  }

  resolve(location: number): void {
    const { locations, functions, strings } = this.profile;
    this.isResolved[location] = 1;
    const from = locations.lineStart[location]!;
    const to = locations.lineStart[location + 1]!;
    const at = this.frameStart[location]!;
    if (from === to) {
      this.frameIds[at] = this.intern(
        this.idOf(this.addressName(location)),
        this.mappingFile(location),
        0,
        0,
      );
      return;
    }
    for (let line = from; line < to; line++) {
      const fn = locations.lineFunction[line]!;
      const nameIndex = functions.name[fn]! || functions.systemName[fn]!;
      const name = strings[nameIndex] === "" ? this.idOf(this.addressName(location)) : this.idAt(nameIndex);
      const file = this.idAt(functions.file[fn]!);
      this.frameIds[at + line - from] = this.intern(
        name,
        file,
        locations.line[line]!,
        functions.startLine[fn]!,
      );
    }
  }

  private intern(name: number, file: number, line: number, startLine: number): number {
    const known = this.frames.length;
    const at = known * KEY;
    this.keys[at] = name;
    this.keys[at + 1] = file;
    this.keys[at + 2] = line;
    const frame = this.frames.intern(this.keys, at, at + KEY);
    if (frame === known) this.startLines[frame] = startLine;
    return frame;
  }

  /** The id of an entry of the string table; equal entries have equal ids. */
  private idAt(index: number): number {
    const known = this.textOf[index]!;
    if (known !== 0) return known - 1;
    const id = this.idOf(this.profile.strings[index]!);
    this.textOf[index] = id + 1;
    return id;
  }

  private idOf(text: string): number {
    const known = this.textIds.get(text);
    if (known !== undefined) return known;
    const id = this.texts.push(text) - 1;
    this.textIds.set(text, id);
    return id;
  }

  /** `libc.so.6!0x7f00deadbeef`, or the bare address where no mapping is known. */
  private addressName(location: number): string {
    const { locations, mappings, strings } = this.profile;
    const address = `0x${locations.address[location]!.toString(16)}`;
    const mapping = locations.mapping[location]!;
    const path = mapping < 0 ? "" : strings[mappings.file[mapping]!]!;
    return path === "" ? address : `${path.slice(path.lastIndexOf("/") + 1)}!${address}`;
  }

  private mappingFile(location: number): number {
    const mapping = this.profile.locations.mapping[location]!;
    return this.idAt(mapping < 0 ? 0 : this.profile.mappings.file[mapping]!);
  }

  toTable(): FrameTable {
    const length = this.frames.length;
    const functionName = new Array<string>(length).fill("");
    const file = new Array<string>(length).fill("");
    const line = new Int32Array(length);
    for (let i = 0; i < length; i++) {
      functionName[i] = this.texts[this.keys[i * KEY]!]!;
      file[i] = this.texts[this.keys[i * KEY + 1]!]!;
      line[i] = this.keys[i * KEY + 2]! | 0;
    }
    return { length, functionName, file, line, startLine: this.startLines.slice(0, length) };
  }
}

/** A location without lines has one frame. */
function frameStarts(lineStart: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lineStart.length);
  for (let i = 1; i < lineStart.length; i++) {
    starts[i] = starts[i - 1]! + Math.max(1, lineStart[i]! - lineStart[i - 1]!);
  }
  return starts;
}
