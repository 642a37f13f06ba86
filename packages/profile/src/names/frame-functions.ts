import type { FrameTable } from "#model/stack-table.ts";
import { FunctionKeys, withoutShapes } from "./function-name.ts";

/** The distinct functions of a frame table, as `functionKey` tells them apart. */
export interface FrameFunctions {
  readonly length: number;
  /** By frame. */
  readonly ofFrame: Uint32Array;
  readonly name: readonly string[];
  /** The first path that its frames have, of those with a start line if there is one. */
  readonly file: readonly string[];
  readonly startLine: readonly number[];
  /** The names that its frames were stored with, other than `name`: mangled names, or those of the copies of a generic function. */
  readonly storedNames: readonly ReadonlySet<string>[];
}

/** The last function of a stored name. Most names are in one file, so a frame costs one look-up. */
interface LastOfName {
  readonly shown: string;
  file: string;
  startLine: number;
  id: number;
}

/**
 * Indexes the functions of a frame table. All copies of a generic function are one, unless the table says otherwise: then each stored name
 * is a function.
 */
export function frameFunctions({
  length,
  functionName,
  storedName = functionName,
  file,
  startLine,
  hasInstantiations = false,
}: FrameTable): FrameFunctions {
  const shownName = hasInstantiations ? (name: string) => name : withoutShapes;
  const keys = new FunctionKeys();
  const found = new FoundFunctions();
  const lastOf = new Map<string, LastOfName>();
  const ofFrame = new Uint32Array(length);
  for (let frame = 0; frame < length; frame++) {
    const stored = storedName[frame];
    let last = lastOf.get(stored);
    if (last === undefined) {
      last = { shown: shownName(functionName[frame]), file: "", startLine: 0, id: -1 };
      lastOf.set(stored, last);
    }
    if (last.id === -1 || last.file !== file[frame] || last.startLine !== startLine[frame]) {
      last.file = file[frame];
      last.startLine = startLine[frame];
      const key = keys.keyOf(last.shown, last.file, last.startLine);
      const isCopy = hasInstantiations && stored !== last.shown;
      last.id = found.idOf(isCopy ? `${key}\n${stored}` : key, last);
      if (stored !== last.shown) found.storedNames[last.id].add(stored);
    }
    ofFrame[frame] = last.id;
  }
  const { name, storedNames } = found;
  return { length: name.length, ofFrame, name, file: found.file, startLine: found.startLine, storedNames };
}

class FoundFunctions {
  readonly name: string[] = [];
  readonly file: string[] = [];
  readonly startLine: number[] = [];
  readonly storedNames: Set<string>[] = [];
  readonly #ids = new Map<string, number>();

  /** @param identity the key of the function, with more where two functions of one key are different */
  idOf(identity: string, { shown, file, startLine }: LastOfName): number {
    const existing = this.#ids.get(identity);
    if (existing !== undefined) {
      if (this.#isBetterPlace(existing, file, startLine)) {
        this.file[existing] = file;
        this.startLine[existing] = startLine;
      }
      return existing;
    }
    this.#ids.set(identity, this.name.length);
    this.name.push(shown);
    this.file.push(file);
    this.startLine.push(startLine);
    return this.storedNames.push(new Set()) - 1;
  }

  /** A file, and then a line, is better than none: which frame comes first depends on the order of the store. */
  #isBetterPlace(id: number, file: string, startLine: number): boolean {
    if (file === "") return false;
    return this.file[id] === "" || (this.startLine[id] === 0 && startLine > 0);
  }
}
