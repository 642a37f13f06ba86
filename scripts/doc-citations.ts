import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Citation {
  readonly kind: "path" | "link" | "script";
  readonly name: string;
  readonly line: number;
}

const codeSpan = /`([^`\n]+)`/g;
const link = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;
const npmScript = /\bnpm (?:run ([a-z][a-z:-]*)|(?:start|test)\b)/g;
/** A code span is a path when it starts at one of the project's folders, or is a file in its root. */
const path =
  /^(?:(?:packages|scripts|e2e|bench|deploy|docs|examples|\.ci)\/[\w./*{},@-]*|(?:README|SECURITY|ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md|(?:package|biome|knip|tsconfig[\w.]*)\.json|LICENSE)$/;

/** Paths in code spans, relative links, and `npm run` scripts, also in code blocks. */
export function findCitations(markdown: string): Citation[] {
  return markdown.split("\n").flatMap((text, index) => {
    const line = index + 1;
    const spans = matches(codeSpan, text).filter((name) => path.test(name));
    const links = matches(link, text).filter((name) => !/^[a-z]+:/.test(name));
    const scripts = matches(npmScript, text).filter((name) => name !== "");
    return [
      ...spans.map((name): Citation => ({ kind: "path", name, line })),
      ...links.map((name): Citation => ({ kind: "link", name, line })),
      ...scripts.map((name): Citation => ({ kind: "script", name, line })),
    ];
  });
}

/** Paths count from the root, links from the document. A `*` must match something. */
export function isThere(root: string, document: string, { kind, name }: Citation): boolean {
  const full =
    kind === "link" && !name.startsWith("/") ? join(root, dirname(document), name) : join(root, name);
  return /[*{]/.test(name) ? globSync(full).length > 0 : existsSync(full);
}

function matches(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}
