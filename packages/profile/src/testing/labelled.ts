import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

// Reads `examples/labelled`: profiles of small services in Java, Node and Python, most of them with one problem that was put there on purpose.

const folder = new URL("../../../../examples/labelled/", import.meta.url);

export const labelledLanguages = ["java", "node", "python"] as const;
export type LabelledLanguage = (typeof labelledLanguages)[number];

export interface LabelledProblem {
  /** One sentence. */
  readonly problem: string;
  /** The functions that are right, as people name them: `Class.method` in Java and of Python's methods. */
  readonly functions: readonly string[];
  /** The title of a right finding contains one of these, in any case. */
  readonly words: readonly string[];
  /** Whether the analyser missed it when the set was counted for the first time. */
  readonly missedAtFirst?: boolean;
}

export interface LabelledService {
  readonly id: string;
  readonly language: LabelledLanguage;
  /** Type of the profile. */
  readonly type: "cpu" | "memory" | "mutex";
  /** Set for services that were written after the rules for these languages. */
  readonly set?: "second";
  /** Missing for a service that is merely busy. */
  readonly planted?: LabelledProblem;
}

export function labelledServices(): LabelledService[] {
  return JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8"));
}

/** The profile as a client sent it, gzipped. */
export function labelledFile({ language, id }: LabelledService): Buffer {
  return readFileSync(new URL(`recorded/${language}/${id}.gz`, folder));
}

export function inflatedLabelled(service: LabelledService): Uint8Array {
  return new Uint8Array(gunzipSync(labelledFile(service)));
}

/** Names of the files that are recorded for a language, without `.gz`. */
export function labelledNames(language: LabelledLanguage): string[] {
  return readdirSync(new URL(`recorded/${language}/`, folder)).map((file) => file.replace(/\.gz$/, ""));
}

/** The name of a function without what its profiler adds: Node's writes `./quotes.js:rateFor:7`. */
export function plainName(name: string): string {
  return /:([^:]+):\d+$/.exec(name)?.[1] ?? name;
}
