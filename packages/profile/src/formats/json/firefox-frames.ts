import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { LineFrame, StackLines } from "#write/stack-lines.ts";
import { type Column, column, lengthOf } from "./firefox-tables.ts";
import { indexIn, type JsonObject, lineOr, listOr, objectIn, objectOr, textOr } from "./json-text.ts";

interface Library {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const unnamedAddress = /^0x[0-9a-f]{1,16}$/i;

/** The frames of a thread, or of all threads. Functions without a symbol are named by their library and address. */
export class FirefoxFrames {
  readonly #stacks: StackLines;
  readonly #ids: number[] = [];
  readonly #length: number;
  readonly #frame: (row: number) => LineFrame;

  constructor(tables: JsonObject, profile: JsonObject, stacks: StackLines, limits: ReadLimits) {
    this.#stacks = stacks;
    const frames = objectIn(tables.frameTable, "frameTable");
    this.#length = lengthOf(frames) || listOr(frames.location).length;
    const { stringArray, stringTable } = tables;
    const strings = listOr(stringArray ?? objectOr(profile.shared).stringArray ?? stringTable);
    const location = column(frames, "location");
    const libraries = librariesOf(profile, tables, limits);
    this.#frame =
      location(0) === undefined
        ? processedFrames(tables, profile, { strings, libraries: libraries.all })
        : geckoFrames(location, column(frames, "line"), { strings, libraries: libraries.sorted });
  }

  /** The frame of an entry of the stack table, as stacks name it. */
  at(row: unknown): number {
    const index = indexIn(row, this.#length, "stackTable.frame");
    this.#ids[index] ??= this.#stacks.frame(this.#frame(index));
    return this.#ids[index];
  }
}

interface Libraries {
  readonly all: readonly Library[];
  /** Those that have addresses, by their start. */
  readonly sorted: readonly Library[];
}

/** By list of `libs`, which all threads of a process share. */
const librariesOfList = new WeakMap<readonly unknown[], Libraries>();

function librariesOf({ libs }: JsonObject, tables: JsonObject, { mappings }: ReadLimits): Libraries {
  const list = listOr(libs ?? tables.libs);
  const known = librariesOfList.get(list);
  if (known !== undefined) return known;
  if (list.length > mappings) {
    const message = `The Firefox profile has more than ${mappings} libraries.`;
    throw new Refusal("too_large", message, "mappings", mappings);
  }
  const all = list.map((entry): Library => {
    const { start, end, name, debugName } = objectOr(entry);
    return { start: Number(start), end: Number(end), name: textOr(name) || textOr(debugName) };
  });
  const sorted = all.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
  librariesOfList.set(list, { all, sorted });
  return { all, sorted };
}

/** @param sorted by their start */
export function libraryAt(sorted: readonly Library[], address: number): Library | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.start <= address) low = middle + 1;
    else high = middle;
  }
  const found = sorted[low - 1];
  return found !== undefined && address < found.end ? found : undefined;
}

interface Names {
  readonly strings: readonly unknown[];
  readonly libraries: readonly Library[];
}

function processedFrames(tables: JsonObject, profile: JsonObject, { strings, libraries }: Names) {
  const table = (name: string) => objectOr(tables[name]);
  const of = (name: string, ...names: readonly string[]) => names.map((each) => column(table(name), each));
  const [func, line, frameLib] = of("frameTable", "func", "line", "lib") as [Column, Column, Column];
  const [name, fileName, source, startLine, resource] = of(
    "funcTable",
    "name",
    "fileName",
    "source",
    "lineNumber",
    "resource",
  ) as [Column, Column, Column, Column, Column];
  const [resourceLib, resourceName] = of("resourceTable", "lib", "name") as [Column, Column];
  const sources = column(objectOr(objectOr(profile.shared).sources), "filename");
  const text = (index: unknown) => textOr(typeof index === "number" ? strings[index] : undefined);
  const functions = lengthOf(table("funcTable"));
  return (row: number): LineFrame => {
    const at = indexIn(func(row), functions, "frameTable.func");
    const called = text(name(at)) || "[unknown]";
    const from = Number(resource(at) ?? -1);
    const lib = libraries[Number(frameLib(row) ?? resourceLib(from) ?? -1)]?.name || text(resourceName(from));
    const sourceOf = source(at);
    return {
      name: unnamedAddress.test(called) && lib !== "" ? `${lib}!${called}` : called,
      file: text(typeof sourceOf === "number" ? sources(sourceOf) : fileName(at)),
      line: lineOr(line(row)) || lineOr(startLine(at)),
      startLine: lineOr(startLine(at)),
    };
  };
}

/** Gecko has the function and its place in one text: `emit (resource://a.js -> resource://b.js:150:13)`, `main (in firefox) + 12`, `0x1f00`. */
function geckoFrames(location: Column, line: Column, { strings, libraries }: Names) {
  return (row: number): LineFrame => {
    const text =
      textOr(strings[indexIn(location(row), strings.length, "frameTable.location")]) || "[unknown]";
    const ran = lineOr(line(row));
    if (unnamedAddress.test(text)) {
      const address = Number(text);
      const found = libraryAt(libraries, address);
      const named = found && found.name !== "" && `${found.name}!0x${(address - found.start).toString(16)}`;
      return { name: named || text, file: "", line: ran };
    }
    const at = text.indexOf(" (");
    const place = at > 0 && text.endsWith(")") ? text.slice(at + 2, -1) : "";
    const [, file = "", start = "0"] =
      /^(.*?)(?::(\d{1,9}))?(?::\d{1,9})?$/s.exec(place.split(" -> ").at(-1)!) ?? [];
    if (start !== "0" || /^[a-z-]+:/i.test(file) || file.startsWith("/")) {
      const startLine = Number(start);
      return { name: text.slice(0, at), file, line: ran || startLine, startLine };
    }
    const native = text.indexOf(" (in ");
    return { name: native > 0 ? text.slice(0, native) : text, file: "", line: ran };
  };
}
