import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine } from "#write/stack-lines.ts";
import { type AddressFacts, AddressStacks } from "./address-stacks.ts";
import { javaFunctions } from "./java-functions.ts";
import { beginsMemoryMap, readMemoryMap } from "./memory-map.ts";
import { kindOfText, type TextKind } from "./text-kinds.ts";

/**
 * Text profiles with addresses in place of functions, of gperftools, of early Go and of jemalloc:
 *
 * ```
 * heap profile: 13: 1595680 [47: 2584] @ heap/1048576     what it measures: text-kinds.ts
 * 1: 524288 [3: 1572864] @ 0x420cef 0x422151              values, and the stack, leaf first
 * MAPPED_LIBRARIES:
 * 00400000-0040b000 r-xp 00000000 08:01 1234 /bin/cat     or the functions, if Java wrote it
 * ```
 *
 * Values are scaled from the sampled to all ones, and addresses moved to the call before them, as google/pprof does.
 */
export function readLegacyText(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  const text = decodeText(bytes);
  const kind = kindOfText(text);
  if (kind === undefined) {
    const message = "The legacy text profile has no header that names what it measures.";
    throw new Refusal("invalid", message, "profile", 0);
  }
  const stacks = new AddressStacks(limits);
  const end = new LegacyLines(kind, stacks).read(text);
  return stacks.toPprof({ ...kind.facts, ...placesIn(text.slice(end), kind, { stacks, limits }) });
}

interface Scope {
  readonly stacks: AddressStacks;
  readonly limits: ReadLimits;
}

function placesIn(
  text: string,
  kind: TextKind,
  { stacks, limits }: Scope,
): Pick<AddressFacts, "ranges" | "functions"> {
  return kind.isJava ? { functions: javaFunctions(text, stacks) } : { ranges: readMemoryMap(text, limits) };
}

/** Within it, a line of any content takes little memory. */
const lineLengthMax = 1024 * 1024;

class LegacyLines {
  readonly #kind: TextKind;
  readonly #stacks: AddressStacks;
  /** jemalloc and threads have the stack before its values. */
  #open: number[] | undefined;
  #end = -1;

  constructor(kind: TextKind, stacks: AddressStacks) {
    this.#kind = kind;
    this.#stacks = stacks;
  }

  /** Returns where the stacks end. */
  read(text: string): number {
    forEachLine(text, (line, offset) => {
      if (this.#end >= 0 || offset < this.#kind.headerLength) return;
      if (line.length > lineLengthMax) {
        const message = `The profile has a line with more than ${lineLengthMax} characters.`;
        throw new Refusal("invalid", message, "line", offset);
      }
      const trimmed = line.trim();
      if (beginsMemoryMap(line)) this.#end = offset;
      else if (trimmed !== "" && !trimmed.startsWith("#")) this.#add(trimmed, offset);
    });
    this.#closeThread();
    return this.#end < 0 ? text.length : this.#end;
  }

  #add(line: string, offset: number): void {
    if (this.#kind.layout === "threads") this.#addToThread(line);
    else if (this.#kind.layout === "stack-first") this.#addStackFirst(line, offset);
    else {
      const at = line.indexOf("@");
      const values = at < 0 ? undefined : this.#kind.values(line.slice(0, at).trim());
      if (values === undefined && (this.#kind.isJava || line.startsWith("---"))) this.#end = offset;
      else if (values === undefined) throw unreadable(offset);
      else
        this.#stacks.add(
          this.#locations(line.slice(at + 1), offset),
          within64Bits(values.values, offset),
          values.blockSize,
        );
    }
  }

  #addStackFirst(line: string, offset: number): void {
    if (line.startsWith("@")) {
      this.#open = this.#locations(line.slice(1), offset);
      return;
    }
    // All threads together; their own values, and lines of later versions, repeat it.
    if (!line.startsWith("t*:")) return;
    const values = this.#kind.values(line.slice("t*:".length).trim());
    if (values === undefined) throw unreadable(offset);
    if (this.#open !== undefined)
      this.#stacks.add(this.#open, within64Bits(values.values, offset), values.blockSize);
    this.#open = undefined;
  }

  #addToThread(line: string): void {
    if (line.startsWith("---")) {
      this.#closeThread();
      this.#open = [];
    } else if (line.includes("same as previous thread")) {
      this.#open = undefined;
      this.#stacks.repeat();
    } else if (this.#open !== undefined) {
      const isFirst = this.#open.length === 0;
      const addresses = [...line.matchAll(/0x([0-9a-f]{1,16})/g)].map(([, digits]) => BigInt(`0x${digits}`));
      for (const [at, address] of addresses.entries())
        this.#open.push(this.#stacks.location(isFirst && at === 0 ? address : beforeIt(address)));
    }
  }

  #closeThread(): void {
    if (this.#kind.layout !== "threads" || this.#open === undefined) return;
    const [leaf, caller] = this.#open.map((location) => this.#stacks.addressOf(location));
    if (leaf !== undefined && caller !== undefined && leaf === caller + 1n) this.#open.splice(1, 1);
    if (this.#open.length > 0) this.#stacks.add(this.#open, [1n]);
    this.#open = undefined;
  }

  #locations(text: string, offset: number): number[] {
    const words = text.split(" ").filter((word) => word !== "");
    return words.map((word) => {
      if (!/^0x[0-9a-f]{1,16}$/.test(word)) throw unreadable(offset);
      const address = BigInt(word);
      return this.#stacks.location(this.#kind.isJava ? address : beforeIt(address));
    });
  }
}

/** Return addresses are those of the instruction behind the call. */
function beforeIt(address: bigint): bigint {
  return BigInt.asUintN(64, address - 1n);
}

function unreadable(offset: number): Refusal {
  const message = "A line of the legacy text profile is no stack with its values.";
  return new Refusal("invalid", message, "line", offset);
}

function within64Bits(values: readonly bigint[], offset: number): readonly bigint[] {
  if (values.every((value) => BigInt.asIntN(64, value) === value)) return values;
  throw new Refusal("invalid", "The profile has a value that does not fit 64 bits.", "line", offset);
}
