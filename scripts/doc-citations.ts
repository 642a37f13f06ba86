import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Citation {
  readonly kind: "path" | "link" | "script" | "source";
  readonly name: string;
  readonly line: number;
}

const codeSpan = /`([^`\n]+)`/g;
const link = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;
const npmScript = /\bnpm (?:run ([a-z][a-z:-]*)|(?:start|test)\b)/g;
/** A code span is a path when it starts at one of the project's folders, or is a file in its root. */
const path =
  /^(?:(?:packages|scripts|e2e|bench|deploy|docs|examples|\.ci)\/[\w./*{},@-]*|(?:README|SECURITY|ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md|(?:package|biome|knip|tsconfig[\w.]*)\.json|LICENSE)$/;

/** A file of the sources, or the end of its path, also in a drawing of a folder. */
const source = /(?<![\w./*@{-])((?:[a-z][\w-]*\/)*[a-z][\w-]*(?:\.[\w-]+)*\.tsx?)(?![\w./-])/g;
/** A folder in a code span, as the tables of a README have it. The build makes `dist/`. */
const folder = /^(?!dist\/)(?:[a-z][\w-]*\/)+$/;

/** Files and folders that a README of the sources names, and that no path of `paths` ends with or has. */
export function findGoneSources(markdown: string, paths: readonly string[]): Citation[] {
  const all = paths.map((path) => `/${path}`);
  const isGone = (name: string) =>
    !all.some((path) => (name.endsWith("/") ? path.includes(`/${name}`) : path.endsWith(`/${name}`)));
  return markdown
    .split("\n")
    .flatMap((text, index) =>
      [...matches(source, text), ...matches(codeSpan, text).filter((name) => folder.test(name))]
        .filter(isGone)
        .map((name): Citation => ({ kind: "source", name, line: index + 1 })),
    );
}

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
