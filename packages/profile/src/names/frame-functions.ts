import type { FrameTable } from "#model/stack-table.ts";
import { FunctionKeys } from "./function-key.ts";
import { withoutShapes } from "./function-name.ts";

/** The distinct functions of a frame table, as `functionKey` tells them apart. */
export interface FrameFunctions {
  readonly length: number;
  /** By frame. */
  readonly ofFrame: Uint32Array;
  readonly key: readonly string[];
  readonly name: readonly string[];
  /** The first path that its frames have. */
  readonly file: readonly string[];
  readonly startLine: readonly number[];
}

/** The last function of a name. Most names are in one file, so a frame costs one look-up. */
interface LastOfName {
  readonly shown: string;
  file: string;
  startLine: number;
  id: number;
}

/** Indexes the functions of a frame table. All copies of a generic Go function are one, unless the table says otherwise. */
export function frameFunctions({
  length,
  functionName,
  file,
  startLine,
  hasInstantiations = false,
}: FrameTable): FrameFunctions {
  const shownName = hasInstantiations ? (name: string) => name : withoutShapes;
  const keys = new FunctionKeys();
  const ids = new Map<string, number>();
  const lastOf = new Map<string, LastOfName>();
  const ofFrame = new Uint32Array(length);
  const found = { name: [] as string[], file: [] as string[], startLine: [] as number[] };
  for (let frame = 0; frame < length; frame++) {
    const rawName = functionName[frame];
    let last = lastOf.get(rawName);
    if (last === undefined) {
      last = { shown: shownName(rawName), file: "", startLine: 0, id: -1 };
      lastOf.set(rawName, last);
    }
    if (last.id === -1 || last.file !== file[frame] || last.startLine !== startLine[frame]) {
      last.file = file[frame];
      last.startLine = startLine[frame];
      const key = keys.keyOf(last.shown, last.file, last.startLine);
      const id = ids.get(key) ?? ids.size;
      if (id === ids.size) {
        ids.set(key, id);
        found.name.push(last.shown);
        found.file.push(last.file);
        found.startLine.push(last.startLine);
      } else if (found.file[id] === "" && last.file !== "") {
        found.file[id] = last.file;
        found.startLine[id] = last.startLine;
      }
      last.id = id;
    }
    ofFrame[frame] = last.id;
  }
  return { length: ids.size, ofFrame, key: [...ids.keys()], ...found };
}
