import { readdirSync, readFileSync } from "node:fs";
import { root } from "./start-flamekeep.ts";

/** A fenced block of code on a page of the guide. */
export interface Block {
  readonly language: string;
  readonly code: string;
}

/** Every page with code that people are meant to run, relative to the project's folder. */
export const pagesWithCode: readonly string[] = [
  "README.md",
  "docs/sending.md",
  ...["docs/guide", "docs/operate"].flatMap((folder) =>
    readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`),
  ),
].filter((page) => blocksOf(page).length > 0);

export function blocksOf(page: string): readonly Block[] {
  const markdown = readFileSync(`${root}${page}`, "utf8");
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)].map(([, language = "", code = ""]) => ({
    language,
    code,
  }));
}

/** The code of one block. Fails if the page has no such block. */
export function codeOf(page: string, at: number): string {
  const block = blocksOf(page)[at];
  if (block === undefined) throw new Error(`${page} has no block ${at}`);
  return block.code;
}

/** The code as a reader has it who opens the guide on the server at `url`, has a key, and whose programs listen on free ports. */
export function asRead(
  code: string,
  { url, key, ports = {} }: { url: string; key: string; ports?: Readonly<Record<number, number>> },
): string {
  let text = code.replaceAll("http://localhost:4040", url).replaceAll("fk_...", key);
  for (const [written, port] of Object.entries(ports)) {
    text = text.replaceAll(`localhost:${written}`, `localhost:${port}`);
  }
  return text;
}
