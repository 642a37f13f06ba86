// Fails where sources or documents use wordings that readers stumble over. Arguments: files or folders; without any, all.
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, posix } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findWordings } from "./wording.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** They list the wordings themselves, or quote a text that is given. */
const excluded = ["scripts/wording.ts", "scripts/wording.test.ts"];
const generated = new Set(["node_modules", "dist", ".node", ".cache", ".git", "data"]);
const areas = process.argv.slice(2);
const paths = (areas.length > 0 ? areas : ["."])
  .flatMap(filesUnder)
  .filter((path) => !excluded.includes(path));

let findings = 0;
for (const path of paths) {
  for (const { line, text, use } of findWordings(readFileSync(`${root}${path}`, "utf8"))) {
    findings++;
    process.stdout.write(`${path}:${line}: ${text}\n  instead: ${use}\n`);
  }
}
process.stdout.write(`${findings} wordings to replace in ${paths.length} files\n`);
process.exitCode = findings === 0 && paths.length > 0 ? 0 : 1;

/** @param area a file or a folder, relative to the root */
function filesUnder(area: string): string[] {
  if (statSync(`${root}${area}`).isFile()) return [area];
  return globSync(posix.join(area, "**/*.{ts,tsx,mjs,md}"), {
    cwd: root,
    exclude: (path) => generated.has(basename(path)),
  });
}
