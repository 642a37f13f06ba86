import { globSync, readFileSync } from "node:fs";

// Written in two parts, so that this line is not one.
const marker = new RegExp(`${"biome"}-ignore(-all|-start)? lint`, "g");

/** How often the sources switch a lint rule off. The number may only go down. */
export function countSuppressions(root: string): number {
  const files = globSync("{packages,scripts,e2e,bench}/**/*.{ts,tsx,mjs,css}", {
    cwd: root,
    exclude: (path) => path === "node_modules" || path === "dist",
  });
  if (files.length === 0) throw new Error(`no sources under ${root}`);
  return files.reduce(
    (sum, file) => sum + (readFileSync(`${root}${file}`, "utf8").match(marker)?.length ?? 0),
    0,
  );
}
