import { oklch, toHex } from "./oklch.ts";
import type { Theme } from "./scheme-names.ts";

/** The hue of each language, and the endings of its source files. */
const table = {
  Go: { hue: 225, endings: "go s" },
  kernel: { hue: 25, endings: "" },
  native: { hue: 80, endings: "c cc cpp cxx h hh hpp inc m mm zig" },
  Rust: { hue: 45, endings: "rs" },
  JVM: { hue: 350, endings: "java kt kts scala groovy clj" },
  Python: { hue: 100, endings: "py pyx pyi" },
  JavaScript: { hue: 135, endings: "js mjs cjs jsx ts mts cts tsx vue" },
  Ruby: { hue: 5, endings: "rb erb" },
  PHP: { hue: 285, endings: "php phtml" },
  ".NET": { hue: 310, endings: "cs fs vb" },
  other: { hue: 60, endings: "" },
} as const;

export type Language = keyof typeof table;

export const languages = Object.keys(table) as readonly Language[];

const byEnding = new Map(
  languages.flatMap((language) =>
    table[language].endings
      .split(" ")
      .filter((ending) => ending !== "")
      .map((ending) => [ending, language] as const),
  ),
);

/** The binary of the kernel, as profilers of Linux name it. */
const kernelFiles = /^(?:vmlinux|\[kernel|\[guest\.kernel)|\.ko(?:\.[a-z]+)?$/u;

/** The language of a function, by the ending of its file. Functions without a source file have the name of their binary. */
export function languageOf(name: string, file: string): Language {
  const base = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  if (kernelFiles.test(base)) return "kernel";
  const ending = base.slice(base.lastIndexOf(".") + 1).toLowerCase();
  const ofEnding = base.includes(".") ? byEnding.get(ending) : undefined;
  if (ofEnding !== undefined) return ofEnding;
  if (file.startsWith("node:")) return "JavaScript";
  const isBinary = /\.(?:so|dylib|dll|exe)(?:[.\d]*)$/u.test(base) || /!0x[0-9a-f]+$/u.test(name);
  return isBinary ? "native" : "other";
}

export function languagePalette(theme: Theme): string[] {
  return languages.map((language) => {
    const chroma = language === "other" ? 0.01 : language === "native" ? 0.04 : 0.11;
    return toHex(oklch(theme === "light" ? 0.8 : 0.54, chroma, table[language].hue));
  });
}
