import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readSourceLines } from "./source-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "flamekeep-source-"));
afterAll(() => rmSync(folder, { recursive: true }));

const orgId = "b2c1f0de-93a4-4e7b-8a56-51d0c7e4f982";
const root = join(folder, "sources");
const price = `package shop

func other() {}

// Seal signs a price.
func (b *Book) seal(text string) string {
	sum := sha256.Sum256([]byte(text)) // token=${"s3cret".repeat(4)}
	return hex.EncodeToString(sum[:])\u202e
}

func main() { seal("") }
`;

function write(path: string, text = price): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

write(`sources/${orgId}/checkout/internal/price.go`);
write(`sources/${orgId}/team/stock/price.go`);
write(`sources/${orgId}/checkout/price.env`);
write(`sources/${orgId}/checkout/large.go`, price + "/".repeat(1024 * 1024));
write("sources/another/checkout/theirs.go");
write("outside.go");
symlinkSync(join(folder, "outside.go"), join(root, orgId, "checkout/link.go"));
symlinkSync("internal/price.go", join(root, orgId, "checkout/inside.go"));
symlinkSync("loop.go", join(root, orgId, "checkout/loop.go"));
mkdirSync(join(root, orgId, "checkout/folder.go"));

const seal = { name: "shop.(*Book).seal", line: 7, share: 0.4 };

const warned: object[] = [];
const log = { warn: (fields: object) => void warned.push(fields) };
beforeEach(() => void warned.splice(0));

async function linesOf(file: string, change: object = {}, service = "checkout") {
  const found = await readSourceLines({ root, orgId, service }, [{ ...seal, file, ...change }], log);
  return found.map(({ text }) => text);
}

write(
  `sources/${orgId}/checkout/members.py`,
  "class Members:\n    async def allowed(self, x):\n        return x in y\n",
);
write(
  `sources/${orgId}/checkout/cells.js`,
  "class NotANumber extends Error {\n  constructor(cell) {\n    super(cell);\n  }\n}\nconst sum = (cells) => cells.length;\n",
);

describe("the source around a hot line", () => {
  it.each([
    ["a method of Python", "members.py", { name: "Members.allowed", line: 3 }],
    ["a lambda in it", "members.py", { name: "Members.allowed.<locals>.<lambda>", line: 3 }],
    ["a function of Node", "cells.js", { name: "./src/cells.js:sum:6", line: 6 }],
    [
      "a function of Node without a name",
      "cells.js",
      { name: "./src/cells.js:(anonymous:L#6:C#13):6", line: 6 },
    ],
    ["a constructor of Node", "cells.js", { name: "./src/cells.js:NotANumber:2", line: 2 }],
  ])("is found for %s", async (_, file, change) => {
    expect(await linesOf(`/srv/${file}`, change)).toHaveLength(1);
    expect(await linesOf(`/srv/${file}`, { ...change, name: "another" })).toEqual([]);
  });

  it.each([
    "/build/checkout/internal/price.go",
    "example.com/checkout/internal/price.go",
    "internal/price.go",
    "inside.go",
  ])("is found by the end of its path: %s", async (file) => {
    const [text] = await linesOf(file);
    expect(text!.split("\n")[0]).toBe("1: package shop");
    expect(text).toContain("6: func (b *Book) seal(text string) string {");
    expect(text).toContain("11: func main()");
    expect(text).not.toMatch(/s3cret|\u202e/);
  });

  it("is found for services whose names have slashes", async () => {
    expect(await linesOf("price.go", {}, "team/stock")).toHaveLength(1);
    expect(await linesOf("price.go", {}, "team/../team/stock")).toEqual([]);
  });

  it("is found for literals and generic functions", async () => {
    expect(await linesOf("inside.go", { name: "shop.(*Book[go.shape.int]).seal.func1" })).toHaveLength(1);
  });

  it.each([
    ["another function", "inside.go", { name: "shop.(*Book).open" }],
    ["a function that has the name of the package", "inside.go", { name: "main.open", line: 11 }],
    ["a line beyond the end", "inside.go", { line: 70 }],
    ["a line before all functions", "inside.go", { line: 1 }],
    ["no source code", "price.env", {}],
    ["a file outside", "../../../outside.go", {}],
    ["a file of another organization", "../../another/checkout/theirs.go", {}],
    ["a link that leads out", "link.go", {}],
    ["a folder", "internal", {}],
    ["a large file", "large.go", {}],
    ["a name with a zero byte", "inside.go\0.go", {}],
    ["a file that does not exist", "missing.go", {}],
    ["a file below a file", "inside.go/price.go", { line: 1 }],
    ["a folder with the name of a file", "folder.go", {}],
    ["a name that is too long", `${"x".repeat(300)}.go`, {}],
    ["no file", "", {}],
  ])("shows nothing of %s, which is no fault", async (_, file, change) => {
    expect(await linesOf("inside.go")).toHaveLength(1);
    expect(await linesOf(file, change)).toEqual([]);
    expect(warned).toEqual([]);
  });

  it("warns once of files that cannot be read, and shows the others", async () => {
    const places = ["loop.go", "/build/loop.go", "inside.go"].map((file) => ({ ...seal, file }));
    expect(await readSourceLines({ root, orgId, service: "checkout" }, places, log)).toHaveLength(1);
    expect(warned).toMatchObject([{ err: { code: "ELOOP" } }]);
  });

  it("shows nothing to an organization without a folder, nor where an id or name leads out", async () => {
    const places = [{ ...seal, file: "theirs.go" }];
    const of = (org: string, service: string) => readSourceLines({ root, orgId: org, service }, places, log);
    expect(await of("another", "checkout")).toHaveLength(1);
    expect(await of(orgId, "checkout")).toEqual([]);
    expect(await of(`${orgId}/../another`, "checkout")).toEqual([]);
    expect(await of(orgId, "../another/checkout")).toEqual([]);
    expect(await of("missing", "checkout")).toEqual([]);
  });

  it("is bounded: eight places, 12,000 characters, 200 of a line", async () => {
    const wide = `package shop\n\nfunc seal() {\n${`\t${"x".repeat(5000)}\n`.repeat(12)}}\n`;
    write(`sources/${orgId}/checkout/wide.go`, wide);
    const many = (file: string) =>
      readSourceLines(
        { root, orgId, service: "checkout" },
        Array.from({ length: 12 }, () => ({ ...seal, file })),
        log,
      );
    expect(await many("inside.go")).toHaveLength(8);
    const texts = (await many("wide.go")).map(({ text }) => text);
    expect(texts).not.toHaveLength(0);
    expect(texts.join("").length).toBeLessThanOrEqual(12_000);
    for (const line of texts[0]!.split("\n")) expect(line.length).toBeLessThanOrEqual(205);
  });
});
