// Fails when a document names a file or an npm script that does not exist.
import { globSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findCitations, findGoneSources, isThere } from "./doc-citations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const documents = globSync(
  ["*.md", "docs/**/*.md", "{packages,examples}/*/*.md", "packages/*/src/**/*.md", "{e2e,bench}/*.md"],
  {
    cwd: root,
    exclude: (path) => path === "node_modules",
  },
);
const sources = globSync(["{packages,scripts,bench,e2e,docs,examples}/**/*.*"], {
  cwd: root,
  exclude: (path) => path === "node_modules" || path.endsWith("/node_modules"),
});
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

let citations = 0;
const broken: string[] = [];
for (const document of documents) {
  const text = readFileSync(`${root}${document}`, "utf8");
  const gone = document.startsWith("packages/") ? findGoneSources(text, sources) : [];
  broken.push(
    ...gone.map(({ name, line }) => `${document}:${line} names ${name}, which is no file or folder`),
  );
  for (const citation of findCitations(text)) {
    citations++;
    const exists = citation.kind === "script" ? citation.name in scripts : isThere(root, document, citation);
    if (!exists) broken.push(`${document}:${citation.line} names ${citation.name}, which does not exist`);
  }
}

process.stdout.write(`${citations} paths and scripts named in ${documents.length} documents\n`);
for (const line of broken) process.stdout.write(`${line}\n`);
const hasLooked = documents.length >= 5 && citations >= 20;
if (!hasLooked) process.stdout.write("That is too few: the check no longer finds the documents.\n");
process.exitCode = hasLooked && broken.length === 0 ? 0 : 1;
