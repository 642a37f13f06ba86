import { describe, expect, it } from "vitest";
import { joined } from "./shared-files.ts";

const kilobyte = "0".repeat(1000);

/**
 * Chunks by name, with their imports and sizes in KB: `start` and `guide` are inputs, capitals are loaded later: parts by the page
 * that is given, pages by `start`.
 */
function chunks(
  imports: Readonly<Record<string, string>>,
  bytes: Readonly<Record<string, number>>,
  partsOf: Readonly<Record<string, string>> = {},
) {
  const list = (names = "") => names.split(" ").filter((name) => name !== "");
  const isLater = (name: string) => name === name.toUpperCase();
  const parts = Object.values(partsOf).flatMap(list);
  const pages = Object.keys(imports).filter((name) => isLater(name) && !parts.includes(name));
  return Object.keys({ ...imports, ...bytes }).map((fileName) => ({
    fileName,
    isEntry: fileName === "start" || fileName === "guide",
    isDynamicEntry: isLater(fileName),
    imports: list(imports[fileName]),
    dynamicImports: fileName === "start" ? pages : list(partsOf[fileName]),
    moduleIds: [`${fileName}.ts`],
    code: kilobyte.repeat(bytes[fileName] ?? 1),
  }));
}

const filesOf = (...given: Parameters<typeof chunks>) =>
  joined(chunks(...given)).map((ids) => ids.toSorted());

describe("joined", () => {
  it("joins what the same pages need, and what is small to those that need it in vain", () => {
    const files = filesOf(
      { start: "", A: "table list", B: "table list", C: "table" },
      { table: 50, list: 5 },
    );
    expect(files).toEqual([["list.ts", "table.ts"]]);
  });

  it("leaves apart what would cost others more than it saves", () => {
    const files = filesOf(
      { start: "", A: "table graph", B: "table graph", C: "table" },
      { table: 100, graph: 100 },
    );
    expect(files).toEqual([["table.ts"], ["graph.ts"]]);
  });

  it("counts pages without what is there from the start", () => {
    const files = filesOf({ start: "react", A: "react list", B: "react list" }, { react: 5, list: 50 });
    expect(files).toEqual([["react.ts"], ["list.ts"]]);
  });

  it("gives an input nothing that only pages of another one need", () => {
    const files = filesOf({ start: "", guide: "copy", A: "copy list", B: "copy list" }, { copy: 5, list: 1 });
    expect(files).toEqual([["copy.ts"], ["list.ts"]]);
  });

  it("gives all inputs the few bytes that one of them needs", () => {
    const files = filesOf({ start: "react", guide: "react copy", A: "copy" }, { react: 50, copy: 1 });
    expect(files).toEqual([["copy.ts", "react.ts"]]);
  });

  it("joins what only parts need, and counts parts without what their page has", () => {
    const files = filesOf(
      { start: "", A: "table", B: "table", DIALOG: "table form list", MENU: "form" },
      { table: 50, form: 20, list: 5 },
      { A: "DIALOG MENU" },
    );
    expect(files).toEqual([["table.ts"], ["form.ts", "list.ts"]]);
  });

  it("makes no files that import each other", () => {
    const imports = { start: "", A: "table", B: "table", C: "text", table: "graph", graph: "text" };
    const files = filesOf(imports, { table: 1, graph: 100, text: 1 });
    expect(files.find((ids) => ids.includes("table.ts"))).not.toEqual(["table.ts", "text.ts"]);
  });

  it("leaves pages, and what none of them needs at once, to the bundler", () => {
    const files = filesOf({ start: "", A: "", DIALOG: "" }, { later: 5 });
    expect(files).toEqual([]);
  });
});
