import { GrowableUint32 } from "#memory/growable.ts";
import { nothingTrimmed, type ReadLimits, truncatedName } from "#model/limits.ts";
import type { Profile, ValueColumn } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { withTextLabels } from "./text-labels.ts";
import { profileOfStacks, type StackFacts } from "./write-profile.ts";

export interface LineFrame {
  readonly name: string;
  readonly file: string;
  /** 0 where unknown. */
  readonly line: number;
  /** The line on which the function starts; left out where unknown. */
  readonly startLine?: number;
}

/** Labels of one stack, which are texts. */
export type LineLabels = Readonly<Record<string, string>>;

/** Collects the stacks of a profile in another format than pprof, within its limits. */
export class StackLines {
  readonly #limits: ReadLimits;
  readonly #frames = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  readonly #columns = {
    name: [] as string[],
    file: [] as string[],
    line: [] as number[],
    startLine: [] as number[],
  };
  readonly #start: number[] = [0];
  readonly #frame = new GrowableUint32(1024);
  readonly #values: number[][];
  readonly #labels = { start: [0], key: [] as string[], text: [] as string[] };
  #textLeft: number;
  readonly #trimmed = { depth: 0, names: 0, labels: 0 };

  constructor(types: number, limits: ReadLimits) {
    this.#limits = limits;
    this.#textLeft = limits.frameText;
    this.#values = Array.from({ length: types }, () => []);
  }

  /** The index of a frame, by which stacks name it. */
  frame({ name, file, line, startLine = 0 }: LineFrame): number {
    // A small file can name one long text in many frames: it is looked at once.
    const key = `${this.#numberOf(name)},${this.#numberOf(file)},${line},${startLine}`;
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const id = this.#frames.size;
    if (id >= this.#limits.locations) throw this.#tooLarge("locations", "different frames");
    const [keptName, keptFile] = [this.#tail(name), this.#tail(file)];
    // The file may be small: in recordings of Java, methods share the name of a class.
    this.#textLeft -= keptName.length + keptFile.length;
    if (this.#textLeft < 0) throw this.#tooLarge("frameText", "characters in the names of its frames");
    this.#frames.set(key, id);
    this.#columns.name.push(keptName);
    this.#columns.file.push(keptFile);
    this.#columns.line.push(line);
    this.#columns.startLine.push(startLine);
    return id;
  }

  #numberOf(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }

  nameOf(frame: number): string {
    return this.#columns.name[frame] ?? "";
  }

  /** The index of one more column of values, with 0 for the stacks so far. */
  addColumn(): number {
    this.#checkValues(this.#start.length - 1, this.#values.length + 1);
    return this.#values.push(Array.from({ length: this.#start.length - 1 }, () => 0)) - 1;
  }

  /** @param frames leaf first */
  add(frames: ArrayLike<number>, values: ArrayLike<number>, labels: LineLabels = {}): void {
    if (this.#start.length > this.#limits.samples) throw this.#tooLarge("samples", "samples");
    this.#checkValues(this.#start.length, this.#values.length);
    const { depth } = this.#limits;
    if (frames.length > depth) {
      this.#trimmed.depth++;
      this.#frame.push(this.frame({ name: truncatedName, file: "", line: 0 }));
    }
    this.#frame.reserve(frames.length);
    for (let i = Math.max(0, frames.length - depth); i < frames.length; i++) this.#frame.push(frames[i]!);
    if (this.#frame.length > this.#limits.frames) throw this.#tooLarge("frames", "frames in all stacks");
    this.#start.push(this.#frame.length);
    for (const [type, column] of this.#values.entries()) column.push(values[type] ?? 0);
    const entries = Object.entries(labels).slice(0, this.#limits.labelsPerSample);
    for (const [key, text] of entries) {
      this.#labels.key.push(key);
      this.#labels.text.push(text);
    }
    if (this.#labels.key.length > this.#limits.labels) throw this.#tooLarge("labels", "labels of samples");
    this.#trimmed.labels += Object.keys(labels).length - entries.length;
    this.#labels.start.push(this.#labels.key.length);
  }

  profile(sampleTypes: readonly ValueType[], facts: StackFacts = {}): Profile {
    const { name, file, line, startLine } = this.#columns;
    const profile = profileOfStacks(
      {
        sampleTypes,
        frames: {
          length: name.length,
          functionName: name,
          file,
          line: Int32Array.from(line),
          startLine: Int32Array.from(startLine),
        },
        length: this.#start.length - 1,
        start: Uint32Array.from(this.#start),
        frame: this.#frame.take(),
        values: this.#values.map(columnOf),
      },
      facts,
    );
    return { ...withTextLabels(profile, this.#labels), trimmed: { ...nothingTrimmed, ...this.#trimmed } };
  }

  #tail(name: string): string {
    if (name.length <= this.#limits.nameBytes) return name;
    this.#trimmed.names++;
    return name.slice(-this.#limits.nameBytes);
  }

  #checkValues(samples: number, types: number): void {
    if (samples * types > this.#limits.values)
      throw this.#tooLarge("values", "values, one for each sample type");
  }

  #tooLarge(
    limit: "samples" | "values" | "frames" | "locations" | "labels" | "frameText",
    what: string,
  ): Refusal {
    const message = `The profile has more than ${this.#limits[limit]} ${what}.`;
    return new Refusal("too_large", message, limit, this.#limits[limit]);
  }
}

/** Whole numbers whose sum is beyond 2^53 need 64 bits. */
function columnOf(values: readonly number[]): ValueColumn {
  const sum = values.reduce((total, value) => total + Math.abs(value), 0);
  return sum <= Number.MAX_SAFE_INTEGER ? Float64Array.from(values) : BigInt64Array.from(values, BigInt);
}

/** Calls `visit` with each line of a text, without its end, and the offset of the line. */
export function forEachLine(text: string, visit: (line: string, offset: number) => void): void {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    visit(
      text.charCodeAt(to - 1) === 13 && to > from ? text.slice(from, to - 1) : text.slice(from, to),
      from,
    );
    from = to + 1;
  }
}
