import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { MemoryRange } from "#write/pprof-writer.ts";
import { forEachLine } from "#write/stack-lines.ts";

/** Whether the line begins the section of the mappings, which is the last one. */
export function beginsMemoryMap(line: string): boolean {
  return line.includes("--- Memory map: ---") || line.includes("MAPPED_LIBRARIES:");
}

/** `00400000-0040b000 r-xp 00001000 08:01 1234   /bin/cat` of Linux, as /proc/PID/maps has it. */
const ofLinux =
  /^([0-9a-f]{1,16})-([0-9a-f]{1,16}) ([-rwxps]{3,5}) ([0-9a-f]{1,16}) [0-9a-f]{1,8}:[0-9a-f]{1,8} \d{1,20}(?: (.*))?$/;
/** `  40000000-40015000: /lib/ld-2.3.2.so (@1000)` of gperftools' own programs. */
const brief =
  /^(?:0x)?([0-9a-f]{1,16})-(?:0x)?([0-9a-f]{1,16}):?(?: ([-rwxps]{3,5}))?(?: ([^\s(]\S*))?(?: \(@([0-9a-f]{1,16})\))?/;
/** perf and others write far shorter lines. */
const lineLengthMax = 16 * 1024;

/** The mappings of code that a text lists. `name=value` lines give names that files begin with, as in `$build/bin`. Others are skipped. */
export function readMemoryMap(text: string, limits: ReadLimits): MemoryRange[] {
  const ranges: MemoryRange[] = [];
  const names = new Map<string, string>();
  forEachLine(text, (line) => {
    if (line.length > lineLengthMax) return;
    const range = rangeOf(line.trim().replaceAll(/\s+/g, " "), names);
    if (range !== undefined) ranges.push(range);
    if (ranges.length > limits.mappings) {
      const message = `The profile has more than ${limits.mappings} mappings.`;
      throw new Refusal("too_large", message, "mappings", limits.mappings);
    }
  });
  return ranges;
}

function rangeOf(line: string, names: Map<string, string>): MemoryRange | undefined {
  const [, start, limit, access, offset, file] = ofLinux.exec(line) ?? reordered(brief.exec(line)) ?? [];
  if (start === undefined || limit === undefined) {
    const equals = line.indexOf("=");
    if (equals > 0) names.set(`$${line.slice(0, equals).trim()}`, line.slice(equals + 1).trim());
    return undefined;
  }
  if (access !== undefined && !access.includes("x")) return undefined;
  const slash = file?.indexOf("/") ?? -1;
  const first = slash < 0 ? file : file?.slice(0, slash);
  const named = names.get(first ?? "");
  return {
    start: BigInt(`0x${start}`),
    limit: BigInt(`0x${limit}`),
    offset: BigInt(`0x${offset ?? "0"}`),
    file: (named === undefined ? file : named + (slash < 0 ? "" : file?.slice(slash))) ?? "",
  };
}

function reordered(found: RegExpExecArray | null): (string | undefined)[] | undefined {
  return found === null ? undefined : [found[0], found[1], found[2], found[3], found[5], found[4]];
}

/** Finds the range of an address. */
export class MemoryMap {
  readonly #sorted: readonly (MemoryRange & { readonly id: number })[];

  /** @param ranges with the ids that follow from their order, from 1 */
  constructor(ranges: readonly MemoryRange[]) {
    const numbered = ranges.map((range, at) => ({ ...range, id: at + 1 }));
    this.#sorted = numbered.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  }

  /** The id of the range; 0 for none. */
  idOf(address: bigint): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle]!.start <= address) low = middle + 1;
      else high = middle;
    }
    const [before, next] = [this.#sorted[low - 1], this.#sorted[low]];
    if (before !== undefined && address < before.limit) return before.id;
    // Some programs leave out the first part of a mapping that is in two parts.
    const isBeforePart = next !== undefined && next.offset > 0n && next.start - next.offset <= address;
    return isBeforePart ? next.id : 0;
  }
}
