import { type ContentIds, idOfBytes, idOfFrame, idsOfTexts } from "./content-id.ts";
import { Interner } from "./interner.ts";
import type { Profile } from "./profile.ts";
import type { FrameTable } from "./stacks.ts";
import { encodeText } from "./text.ts";

/**
 * The distinct frames of a profile. Frames are equal when function name, file and line are (told by their
 * content id), whatever their address, function id or place in the string table. Only locations that are asked
 * for get frames.
 *
 * ```
 * location j -> frameIndex[frameStart[j] .. frameStart[j + 1])   innermost inlined first, after resolve(j)
 * ```
 */
export class FrameInterner {
  readonly frameStart: Uint32Array;
  readonly frameIndex: Uint32Array;
  /** For locations of a single frame that are resolved: their frame + 1. 0 for all others. */
  readonly onlyFrame: Uint32Array;
  private readonly isResolved: Uint8Array;
  /** Content ids of the frames found so far, and room for one more. */
  readonly ids: ContentIds;
  private readonly profile: Profile;
  private readonly stringIds: Uint32Array;
  private readonly names: string[] = [];
  private readonly files: string[] = [];
  private readonly lines: Int32Array;
  private readonly startLines: Int32Array;
  private readonly frames: Interner;
  private readonly nameId = new Uint32Array(2);
  private readonly fileId = new Uint32Array(2);

  constructor(profile: Profile) {
    const { locations } = profile;
    this.profile = profile;
    this.stringIds = profile.stringIds ?? idsOfTexts(profile.strings);
    this.frameStart = frameStarts(locations.lineStart);
    const count = this.frameStart[locations.length]!;
    this.frameIndex = new Uint32Array(count);
    this.onlyFrame = new Uint32Array(locations.length);
    this.isResolved = new Uint8Array(locations.length);
    this.ids = new Uint32Array((count + 1) * 2);
    this.lines = new Int32Array(count);
    this.startLines = new Int32Array(count);
    this.frames = new Interner(count, this.ids, (frame) => frame * 2);
  }

  resolve(location: number): void {
    if (this.isResolved[location] === 1) return;
    const { locations } = this.profile;
    this.isResolved[location] = 1;
    const from = locations.lineStart[location]!;
    const to = locations.lineStart[location + 1]!;
    const at = this.frameStart[location]!;
    if (from === to) this.frameIndex[at] = this.unsymbolised(location);
    for (let line = from; line < to; line++) {
      const fn = locations.lineFunction[line]!;
      this.frameIndex[at + line - from] = this.symbolised(fn, locations.line[line]!, location);
    }
    if (this.frameStart[location + 1]! - at === 1) this.onlyFrame[location] = this.frameIndex[at]! + 1;
  }

  private symbolised(fn: number, line: number, location: number): number {
    const { functions, strings } = this.profile;
    const named = functions.name[fn]! || functions.systemName[fn]!;
    if (strings[named] === "") return this.unsymbolised(location);
    const file = functions.file[fn]!;
    this.nameId[0] = this.stringIds[2 * named]!;
    this.nameId[1] = this.stringIds[2 * named + 1]!;
    const known = this.frames.length;
    const frame = this.intern(file, line);
    if (frame === known) {
      this.names.push(strings[named]!);
      this.files.push(strings[file]!);
      this.lines[frame] = line;
      this.startLines[frame] = functions.startLine[fn]!;
    }
    return frame;
  }

  /** `libc.so.6!0x7f00deadbeef`, or the bare address where no mapping is known. */
  private unsymbolised(location: number): number {
    const { locations, mappings, strings } = this.profile;
    const mapping = locations.mapping[location]!;
    const file = mapping < 0 ? 0 : mappings.file[mapping]!;
    const path = strings[file]!;
    const address = `0x${locations.address[location]!.toString(16)}`;
    const name = path === "" ? address : `${path.slice(path.lastIndexOf("/") + 1)}!${address}`;
    const bytes = encodeText(name);
    idOfBytes(bytes, 0, bytes.length, this.nameId, 0);
    const known = this.frames.length;
    const frame = this.intern(file, 0);
    if (frame === known) {
      this.names.push(name);
      this.files.push(path);
    }
    return frame;
  }

  /** `nameId` holds the id of the name. */
  private intern(file: number, line: number): number {
    const at = this.frames.length;
    this.fileId[0] = this.stringIds[2 * file]!;
    this.fileId[1] = this.stringIds[2 * file + 1]!;
    idOfFrame(this.nameId, this.fileId, line, this.ids, at);
    return this.frames.intern(this.ids[2 * at]!, 2 * at, 2 * at + 2);
  }

  toTable(): FrameTable {
    const length = this.frames.length;
    return {
      length,
      functionName: this.names,
      file: this.files,
      line: this.lines.slice(0, length),
      startLine: this.startLines.slice(0, length),
      ids: this.ids.slice(0, length * 2),
    };
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
