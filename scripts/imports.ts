import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

export const packageFolders = ["contract", "profile", "flame", "server", "web"].map(
  (name) => `packages/${name}`,
);

export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Imports between the files of a package, tests included, with their paths in the repository. A thread's file counts as imported. */
export function importsIn(packageFolder: string): Import[] {
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
  return files.flatMap((from) => {
    const text = readFileSync(root + from, "utf8");
    const named = text.matchAll(/(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*"([#.][^"]+)"/g);
    return [...named].map(([, name]) => ({ from, to: targetOf(from, name!) }));
  });
}

export function isOfTests(path: string): boolean {
  return /\.test\.|\/testing\//.test(path);
}

/**
 * Test files of the same package that a fault in this file is likely to fail, the nearest first: the test of its name, those that import
 * it through few files, and the others of its folder. Files at the top of `src/` put the whole app together: nearly every test of the
 * package reaches them, so that nothing is followed through them.
 */
export function nearestTests(file: string): string[] {
  const folder = packageFolders.find((each) => file.startsWith(`${each}/src/`));
  if (folder === undefined) return [];
  const importers = Map.groupBy(importsIn(folder), ({ to }) => to);
  const distances = new Map([[file, 0]]);
  for (const [path, distance] of distances) {
    if (path !== file && (dirname(path) === `${folder}/src` || isShared(path))) continue;
    for (const { from } of importers.get(path) ?? [])
      if (!distances.has(from)) distances.set(from, distance + 1);
  }
  const ownTest = file.replace(/\.tsx?$/, ".test");
  const inFolder = globSync(`${dirname(file)}/**/*.test.{ts,tsx}`, { cwd: root });
  const reached = [...distances.keys()].filter((path) => path.includes(".test.")).concat(inFolder);
  const placeOf = (path: string) => {
    if (path.startsWith(ownTest)) return 0;
    // Tests at the top walk through the whole app.
    return dirname(path) === `${folder}/src` ? 9 : (distances.get(path) ?? 2);
  };
  return [...new Set(reached)]
    .filter((path) => existsSync(root + path))
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Tests of a package start the whole app with these files. */
function isShared(path: string): boolean {
  return path.includes("/src/testing/");
}
