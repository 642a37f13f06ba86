// Fails where sources or documents use wordings that readers stumble over. Arguments: files or folders; without any, all.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findWordings } from "./wording.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** They list the wordings themselves, or quote a text that is given. */
const excluded = ["scripts/wording.ts", "scripts/wording.test.ts"];
const areas = process.argv.slice(2);
const patterns = areas.length > 0 ? areas : ["*.ts", "*.tsx", "*.mjs", "*.md"];
const listed = execFileSync("git", ["ls-files", "-z", "--", ...patterns], {
  cwd: root,
  encoding: "utf8",
});
const paths = listed
  .split("\0")
  .filter((path) => /\.(ts|tsx|mjs|md)$/.test(path) && !excluded.includes(path));

let findings = 0;
for (const path of paths) {
  for (const { line, text, use } of findWordings(readFileSync(`${root}${path}`, "utf8"))) {
    findings++;
    process.stdout.write(`${path}:${line}: ${text}\n  instead: ${use}\n`);
  }
}
process.stdout.write(`${findings} wordings to replace in ${paths.length} files\n`);
process.exitCode = findings === 0 && paths.length > 0 ? 0 : 1;
