// Checks the imports between folders. It finds the features of a package by their folders, so that a new one needs no line here.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { importsIn, isOfTests, packageFolders } from "./imports.ts";

const imports = new Map(
  packageFolders.map((name) => [
    name,
    importsIn(name).filter(({ from, to }) => !isOfTests(from) && !isOfTests(to)),
  ]),
);

test.each(["packages/server", "packages/web"])("no feature of %s imports another one", (name) => {
  const featureOf = (path: string) => path.slice(`${name}/src/`.length).match(/^features\/([^/]+)\//)?.[1];
  const reaching = imports.get(name)!.filter(({ to }) => featureOf(to) !== undefined);
  const features = new Set(reaching.map(({ to }) => featureOf(to)));
  expect(features.size).toBeGreaterThan(10);
  // Files at the top of src/ put the features together.
  const wrong = reaching.filter(
    ({ from, to }) => featureOf(from) !== featureOf(to) && dirname(from) !== `${name}/src`,
  );
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("a folder of the web app imports those of its row in the README and of the rows below", () => {
  const web = "packages/web/src/";
  const readme = readFileSync(new URL(`../${web}README.md`, import.meta.url), "utf8");
  const rows = readme
    .match(/^\| `[^|]+/gm)!
    .map((row) => [...row.matchAll(/`([\w-]+)\//g)].map(([, name]) => name));
  // The first row has the files at the top.
  const rowOf = (path: string) => {
    const [folder, ...rest] = path.slice(web.length).split("/");
    return rest.length === 0 ? 0 : rows.findIndex((names) => names.includes(folder));
  };
  const named = imports.get("packages/web")!.filter(({ to }) => to.startsWith(web));
  expect(named.length).toBeGreaterThan(1000);
  expect(named.filter(({ from, to }) => rowOf(from) === -1 || rowOf(to) < rowOf(from))).toEqual([]);
});

/** Pairs of folders that import each other. The number may only go down: move the file that is in the wrong folder. */
const pairsAtMost = 23;

test("folders that import each other become fewer", () => {
  const edges = new Set(
    [...imports.values()].flat().map(({ from, to }) => `${dirname(from)} ${dirname(to)}`),
  );
  const pairs = [...edges].filter((edge) => {
    const [from, to] = edge.split(" ") as [string, string];
    return from < to && edges.has(`${to} ${from}`);
  });
  expect(edges.size).toBeGreaterThan(500);
  expect(pairs.length, pairs.join("\n")).toBe(pairsAtMost);
});
