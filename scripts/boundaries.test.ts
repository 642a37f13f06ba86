// Checks the imports between folders. It finds the features of a package by their folders, so that a new one needs no line here.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Imports between the files of a package, with their paths in the repository. Tests may import anything. */
function importsIn(packageFolder: string): Import[] {
  const { imports = {} } = JSON.parse(readFileSync(`${root}${packageFolder}/package.json`, "utf8"));
  const aliases = Object.entries(imports as Readonly<Record<string, string>>);
  const targetOf = (from: string, named: string) => {
    if (named.startsWith(".")) return join(dirname(from), named);
    const alias = aliases.find(([name]) =>
      name.endsWith("*") ? named.startsWith(name.slice(0, -1)) : named === name,
    );
    // Vite finds the files of the guide.
    if (alias === undefined) return named;
    const [name, target] = alias;
    return join(packageFolder, target.replace("*", named.slice(name.length - 1)));
  };
  const files = globSync(`${packageFolder}/src/**/*.{ts,tsx}`, { cwd: root });
  return files
    .filter((path) => !isOfTests(path))
    .flatMap((from) => {
      const text = readFileSync(root + from, "utf8");
      const named = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([#.][^"]+)"/g);
      return [...named].map(([, name]) => ({ from, to: targetOf(from, name!) }));
    })
    .filter(({ to }) => !isOfTests(to));
}

function isOfTests(path: string): boolean {
  return /\.test\.|\/testing\//.test(path);
}

const packages = ["contract", "profile", "flame", "server", "web"].map((name) => `packages/${name}`);
const imports = new Map(packages.map((name) => [name, importsIn(name)]));

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

/** Pairs of folders that import each other. The number may only go down: move the file that is in the wrong folder. */
const pairsAtMost = 131;

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
