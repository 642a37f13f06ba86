import { halvesOf, scratch } from "#memory/growable.ts";
import { Interner } from "#memory/interner.ts";
import type { Profile } from "#model/profile.ts";
import type { FrameTable } from "#model/stack-table.ts";
import { idOfFrame, idOfText, idsOfTexts } from "#wire/content-id.ts";

/**
 * The distinct frames of a profile. Frames are equal when function name, file and line are (compared by
 * content id), whatever their address, function id or place in the string table. Only locations that are asked
 * for get frames. It uses the thread's working memory: one at a time.
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
  /** 1 for locations that are resolved. */
  private readonly isResolved: Uint32Array;
  /** Content ids of the frames found so far, and room for one more. */
  readonly ids: Uint32Array<ArrayBuffer>;
  private readonly profile: Profile;
  private readonly addresses: Uint32Array;
  private readonly stringIds: Uint32Array;
  private readonly names: string[] = [];
  private readonly files: string[] = [];
  /** Line and start line by frame. */
  private readonly lines: Uint32Array;
  private readonly frames: Interner;
  private readonly nameId = new Uint32Array(2);
  private readonly fileId = new Uint32Array(2);

  constructor(profile: Profile) {
    const { locations } = profile;
    this.profile = profile;
    this.addresses = halvesOf(locations.address);
    this.stringIds = profile.stringIds ?? idsOfTexts(profile.strings);
    this.frameStart = frameStarts(locations.lineStart);
    const count = this.frameStart[locations.length];
    this.frameIndex = scratch.frames.clear(count).array;
    this.onlyFrame = scratch.onlyFrame.zeros(locations.length);
    this.isResolved = scratch.isResolved.zeros(locations.length);
    this.ids = scratch.frameIds.clear((count + 1) * 2).array;
    this.lines = scratch.frameLines.clear(count * 2).array;
    this.frames = new Interner(count, this.ids, (frame) => frame * 2, scratch.frameSlots);
  }

  resolve(location: number): void {
    if (this.isResolved[location] === 1) return;
    const { locations } = this.profile;
    this.isResolved[location] = 1;
    const from = locations.lineStart[location];
    const to = locations.lineStart[location + 1];
    const at = this.frameStart[location];
    if (from === to) this.frameIndex[at] = this.unsymbolised(location);
    for (let line = from; line < to; line++) {
      const fn = locations.lineFunction[line];
      this.frameIndex[at + line - from] = this.symbolised(fn, locations.line[line], location);
    }
    if (this.frameStart[location + 1] - at === 1) this.onlyFrame[location] = this.frameIndex[at] + 1;
  }

  private symbolised(fn: number, line: number, location: number): number {
    const { functions, strings } = this.profile;
    const named = functions.name[fn] || functions.systemName[fn];
    if (strings[named] === "") return this.unsymbolised(location);
    this.nameId[0] = this.stringIds[2 * named];
    this.nameId[1] = this.stringIds[2 * named + 1];
    return this.intern(strings[named], functions.file[fn], line, functions.startLine[fn]);
  }

  /** `libc.so.6!0x7f00deadbeef`, or the bare address without a mapping. */
  private unsymbolised(location: number): number {
    const { locations, mappings, strings } = this.profile;
    const mapping = locations.mapping[location];
    const file = mapping < 0 ? 0 : mappings.file[mapping];
    const path = strings[file];
    const high = this.addresses[2 * location + 1];
    const low = this.addresses[2 * location].toString(16);
    const address = high === 0 ? `0x${low}` : `0x${high.toString(16)}${low.padStart(8, "0")}`;
    const name = path === "" ? address : `${path.slice(path.lastIndexOf("/") + 1)}!${address}`;
    idOfText(name, this.nameId, 0);
    return this.intern(name, file, 0, 0);
  }

  /** `nameId` holds the id of the name. */
  private intern(name: string, file: number, line: number, startLine: number): number {
    const next = this.frames.length;
    this.fileId[0] = this.stringIds[2 * file];
    this.fileId[1] = this.stringIds[2 * file + 1];
    idOfFrame(this.nameId, this.fileId, line, this.ids, next);
    const frame = this.frames.intern(this.ids[2 * next], 2 * next, 2 * next + 2);
    if (frame === next) {
      this.names.push(name);
      this.files.push(this.profile.strings[file]);
      this.lines[2 * frame] = line;
      this.lines[2 * frame + 1] = startLine;
    }
    return frame;
  }

  toTable(): FrameTable {
    const length = this.frames.length;
    const line = new Int32Array(length);
    const startLine = new Int32Array(length);
    for (let i = 0; i < length; i++) {
      line[i] = this.lines[2 * i];
      startLine[i] = this.lines[2 * i + 1];
    }
    return {
      length,
      functionName: this.names,
      file: this.files,
      line,
      startLine,
      ids: this.ids.slice(0, length * 2),
    };
  }
}

/** A location without lines has one frame. */
function frameStarts(lineStart: Uint32Array): Uint32Array {
  if (!hasGap(lineStart)) return lineStart;
  const starts = new Uint32Array(lineStart.length);
  for (let i = 1; i < lineStart.length; i++) {
    starts[i] = starts[i - 1] + Math.max(1, lineStart[i] - lineStart[i - 1]);
  }
  return starts;
}

function hasGap(lineStart: Uint32Array): boolean {
  for (let i = 1; i < lineStart.length; i++) if (lineStart[i] === lineStart[i - 1]) return true;
  return false;
}
