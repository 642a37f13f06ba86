import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url);

interface Override {
  readonly includes: readonly string[];
  readonly linter: {
    readonly rules: {
      readonly style?: {
        readonly noRestrictedImports?:
          | string
          | { readonly options: { readonly patterns: readonly { readonly group: readonly string[] }[] } };
      };
    };
  };
}

const { overrides } = readJson<{ overrides: readonly Override[] }>("biome.json");

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, root), "utf8"));
}

/** Each rule replaces the ones before it: the imports that the last one for the files of a folder refuses. */
function refusedImports(folder: string): readonly string[] {
  const isIn = (glob: string) => `${folder}/`.startsWith(`${glob.replace(/\/\*\*$/, "")}/`);
  const last = overrides.findLast(
    ({ includes, linter }) =>
      typeof linter.rules.style?.noRestrictedImports === "object" &&
      includes.some((glob) => !glob.startsWith("!") && isIn(glob)) &&
      !includes.some((glob) => glob.startsWith("!") && isIn(glob.slice(1))),
  );
  const rule = last?.linter.rules.style?.noRestrictedImports;
  return typeof rule === "object" ? rule.options.patterns.flatMap(({ group }) => group) : [];
}

/** The aliases of a package that lead into its features, as `#mcp/**`, with the folder of the feature. */
function featureAliases(packageFolder: string) {
  const { imports } = readJson<{ imports: Readonly<Record<string, string>> }>(
    `${packageFolder}/package.json`,
  );
  return Object.entries(imports).flatMap(([alias, target]) => {
    const [, feature] = /^\.\/src\/features\/([\w-]+)\//.exec(target) ?? [];
    return feature === undefined ? [] : [{ pattern: `${alias}*`, feature }];
  });
}

test.each(["packages/server", "packages/web"])("no feature of %s may import another one", (packageFolder) => {
  const features = readdirSync(fileURLToPath(new URL(`${packageFolder}/src/features`, root)));
  const aliases = featureAliases(packageFolder);
  expect(aliases.length).toBeGreaterThan(1);
  const allowed = features.flatMap((importer) => {
    const refused = refusedImports(`${packageFolder}/src/features/${importer}`);
    return aliases
      .filter(({ pattern, feature }) => feature !== importer && !refused.includes(pattern))
      .map(({ pattern }) => `${importer} may import ${pattern}`);
  });
  expect(allowed).toEqual([]);
});
