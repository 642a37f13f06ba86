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

  constructor(tables: JsonObject, profile: JsonObject, stacks: StackLines) {
    this.#stacks = stacks;
    const frames = objectIn(tables.frameTable, "frameTable");
    this.#length = lengthOf(frames) || listOr(frames.location).length;
    const { stringArray, stringTable } = tables;
    const strings = listOr(stringArray ?? objectOr(profile.shared).stringArray ?? stringTable);
    const location = column(frames, "location");
    this.#frame =
      location(0) === undefined
        ? processedFrames(tables, profile, strings)
        : geckoFrames(location, column(frames, "line"), { strings, libraries: librariesOf(profile, tables) });
  }

  /** The frame of an entry of the stack table, as stacks name it. */
  at(row: unknown): number {
    const index = indexIn(row, this.#length, "stackTable.frame");
    this.#ids[index] ??= this.#stacks.frame(this.#frame(index));
    return this.#ids[index];
  }
}

function librariesOf({ libs }: JsonObject, tables: JsonObject): Library[] {
  return listOr(libs ?? tables.libs).map((entry) => {
    const { start, end, name, debugName } = objectOr(entry);
    return { start: Number(start), end: Number(end), name: textOr(name) || textOr(debugName) };
  });
}

function processedFrames(tables: JsonObject, profile: JsonObject, strings: readonly unknown[]) {
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
  const libraries = librariesOf(profile, tables);
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

interface GeckoNames {
  readonly strings: readonly unknown[];
  readonly libraries: readonly Library[];
}

/** Gecko has the function and its place in one text: `emit (resource://a.js -> resource://b.js:150:13)`, `main (in firefox) + 12`, `0x1f00`. */
function geckoFrames(location: Column, line: Column, { strings, libraries }: GeckoNames) {
  return (row: number): LineFrame => {
    const text =
      textOr(strings[indexIn(location(row), strings.length, "frameTable.location")]) || "[unknown]";
    const ran = lineOr(line(row));
    if (unnamedAddress.test(text)) {
      const address = Number(text);
      const found = libraries.find(({ start, end }) => start <= address && address < end);
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
