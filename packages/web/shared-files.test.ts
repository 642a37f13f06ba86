import { describe, expect, it } from "vitest";
import { joined } from "./shared-files.ts";

const kilobyte = "0".repeat(1000);

/** Chunks by name, with their imports and sizes in KB: `start` and `guide` are inputs, capitals are pages that `start` opens. */
function chunks(imports: Readonly<Record<string, string>>, bytes: Readonly<Record<string, number>>) {
  const list = (names = "") => names.split(" ").filter((name) => name !== "");
  const isPage = (name: string) => name === name.toUpperCase();
  return Object.keys({ ...imports, ...bytes }).map((fileName) => ({
    fileName,
    isEntry: fileName === "start" || fileName === "guide",
    isDynamicEntry: isPage(fileName),
    imports: list(imports[fileName]),
    dynamicImports: fileName === "start" ? Object.keys(imports).filter(isPage) : [],
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
      { table: 50, graph: 50 },
    );
    expect(files).toEqual([["table.ts"], ["graph.ts"]]);
  });

  it("counts pages without what is there from the start", () => {
    const files = filesOf({ start: "react", A: "react list", B: "react list" }, { react: 5, list: 50 });
    expect(files).toEqual([["react.ts"], ["list.ts"]]);
  });

  it("gives an input nothing that only pages of another one need", () => {
    const files = filesOf({ start: "", guide: "copy", A: "copy list", B: "copy list" }, { copy: 1, list: 1 });
    expect(files).toEqual([["copy.ts"], ["list.ts"]]);
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
