import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Vite's list of the built files, by their source, with those that they import. */
type Chunks = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

const list = fileURLToPath(new URL("../../packages/web/dist/chunks.json", import.meta.url));

/** The scripts that must be there before the module runs. */
export function filesOf(module: string): string[] {
  const chunks: Chunks = JSON.parse(readFileSync(list, "utf8"));
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const imported of chunks[name]?.imports ?? []) visit(imported);
  };
  visit(module);
  return [...found].flatMap((name) => chunks[name]?.file ?? []);
}
