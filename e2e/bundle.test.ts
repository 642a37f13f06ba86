import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "./harness/start-flamekeep.ts";

/** Vite's manifest: chunks by source file, with the chunks that they import. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

const web = `${root}packages/web`;
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(`${web}/dist/chunks.json`, "utf8"));
const entry = "index.html";
const layout = "src/layout/protected-layout.tsx";
/** Where people start: without a session, and with one. */
const firstPages = /features\/(landing|accounts|dashboard)\//;
const firstRouteBytesMax = 175 * 1024;
const routeBytesMax = 230 * 1024;
const furtherRouteBytesMax = 80 * 1024;
/** With its flame graph, which comes along with the page. */
const servicePage = "src/features/service/page.tsx";
const servicePageBytesMax = 245 * 1024;
const documentationBytesMax = 20 * 1024;
/** Each file is a request. One more runs before the app. */
const filesMax = 19;
/** The chunks that must be there before a module runs. */
function chunksOf(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const imported of manifest[name]?.imports ?? []) visit(imported);
  };
  names.forEach(visit);
  return found;
}

const codeOf = (name: string) => readFileSync(`${web}/dist/${manifest[name]?.file}`, "utf8");

/** Bytes as browsers get them, compressed with Brotli. */
function bytesOf(chunks: Iterable<string>): number {
  return [...chunks].reduce((sum, name) => sum + statSync(`${web}/dist/${manifest[name]?.file}.br`).size, 0);
}

/** The modules that the tables of pages load when a page is opened. */
function pageModules(): string[] {
  const tables = ["routes.tsx", "public-pages.tsx"].map((name) => readFileSync(`${web}/src/${name}`, "utf8"));
  return [
    ...new Set(
      [...tables.join().matchAll(/import\("\.\/(features\/[^"]+)"\)/g)].map(([, path]) => `src/${path}`),
    ),
  ];
}

const isPublic = (page: string) => /features\/(landing|accounts)\//.test(page);
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

test("each page is a separate chunk of few files; landing, accounts and dashboard are small as the first page, all as a further one", () => {
  const pages = pageModules();
  expect(pages.length).toBeGreaterThan(10);
  const start = chunksOf([entry]);
  const withLayout = chunksOf([entry, layout]);
  const sizes = pages.map((name) => {
    const frame = isPublic(name) ? start : withLayout;
    const all = chunksOf(isPublic(name) ? [entry, name] : [entry, layout, name]);
    const first = bytesOf(all);
    const further = bytesOf([...chunksOf([name])].filter((chunk) => !frame.has(chunk)));
    return { name, isChunk: manifest[name]?.isDynamicEntry === true, first, further, files: all.size };
  });
  for (const { name, first, further, files } of sizes.toSorted((a, b) => b.first - a.first)) {
    const columns = [kilobytes(first), kilobytes(further), `${files} files`];
    process.stdout.write(`${columns.map((text) => text.padStart(10)).join("")}  ${name}\n`);
  }
  expect(sizes.filter(({ isChunk }) => !isChunk)).toEqual([]);
  expect(sizes.filter(({ name }) => firstPages.test(name)).length).toBeGreaterThan(3);
  expect(sizes.filter(({ name, first }) => firstPages.test(name) && first >= firstRouteBytesMax)).toEqual([]);
  expect(sizes.filter(({ first }) => first >= routeBytesMax)).toEqual([]);
  expect(sizes.filter(({ further }) => further >= furtherRouteBytesMax)).toEqual([]);
  expect(sizes.filter(({ files }) => files > filesMax)).toEqual([]);
});

test("the page of a service is small and of few files with its flame graph", () => {
  const graph = Object.keys(manifest).find((name) =>
    codeOf(name).includes("Failed to load flame graph data"),
  );
  expect(manifest[entry]?.dynamicImports).toContain(graph);
  const all = chunksOf([entry, layout, servicePage, graph!]);
  expect(bytesOf(all)).toBeLessThan(servicePageBytesMax);
  expect(all.size).toBeLessThanOrEqual(filesMax);
});

test("no overlay is part of the first view of a page", () => {
  // An option of the library's dialogs, menus, selects and popovers.
  const isOverlay = (name: string) => codeOf(name).includes("outsidePress");
  expect(Object.keys(manifest).filter(isOverlay)).not.toEqual([]);
  for (const page of pageModules())
    expect([...chunksOf([entry, layout, page])].filter(isOverlay), page).toEqual([]);
});

test("pages without a session load nothing of the layout", () => {
  const textsOfLayout = ["Skip to content", "System status"];
  const isOfLayout = (name: string) => textsOfLayout.some((text) => codeOf(name).includes(text));
  expect([...chunksOf([layout])].filter(isOfLayout)).not.toEqual([]);
  const pages = pageModules().filter(isPublic);
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) expect([...chunksOf([entry, page])].filter(isOfLayout), page).toEqual([]);
});

test("the documentation loads little of the app", () => {
  expect(bytesOf(chunksOf(["docs.html"]))).toBeLessThan(documentationBytesMax);
});

test("no files import each other", () => {
  const inCircle = Object.keys(manifest).filter((name) => chunksOf(manifest[name]?.imports ?? []).has(name));
  expect(inCircle).toEqual([]);
});
