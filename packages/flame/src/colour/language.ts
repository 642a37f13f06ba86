import type { FunctionTable } from "#tree/call-tree.ts";
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

/** A path of packages and a class that begins with a capital letter: `java/util/HashMap.get`, and not `net/http.Get` of Go. */
const jvmMethod = /^(?:[\w$-]+\/)+[A-Z][^/:]*$/u;
/** A method of a class without a package: `Shop$Cart.add`. */
const plainMethod = /^[\w$]+(?:\.[\w$<>]+)+$/u;
/** A function with its library before it: `libjvm.so.JVM_Sleep`. */
const libraryFunction = /^[^:]*\.(?:so|dylib|dll)(?:\.\d+)*(?:$|[.!`])/u;
/** How async-profiler marks frames in collapsed stacks. */
const mark = /_\[[0-9a-z]\]$/u;

/**
 * The language of each function. Recordings of Java name no files. Where functions without a file run in the JVM, its native code
 * is there as well: other names with a dot are methods, too, and names without one are functions of C and C++.
 */
export function languagesOf({ name, file, length }: FunctionTable): Language[] {
  const found = Array.from({ length }, (_, fn) => languageOf(name[fn], file[fn]));
  if (!found.some((language, fn) => language === "JVM" && file[fn] === "")) return found;
  return found.map((language, fn) => {
    const isNamed = fn > 0 && name[fn] !== "" && !name[fn].startsWith("[");
    if (language !== "other" || file[fn] !== "" || !isNamed) return language;
    return plainMethod.test(name[fn].replace(mark, "")) ? "JVM" : "native";
  });
}

/**
 * The language of a function, by the ending of its file, and without one by the form of its name. Functions without a source file have
 * the name of their binary.
 */
export function languageOf(name: string, file: string): Language {
  const base = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  if (kernelFiles.test(base)) return "kernel";
  const ending = base.slice(base.lastIndexOf(".") + 1).toLowerCase();
  const ofEnding = base.includes(".") ? byEnding.get(ending) : undefined;
  if (ofEnding !== undefined) return ofEnding;
  if (file.startsWith("node:")) return "JavaScript";
  const isBinary = /\.(?:so|dylib|dll|exe)(?:[.\d]*)$/u.test(base) || /!0x[0-9a-f]+$/u.test(name);
  if (isBinary) return "native";
  return file === "" ? languageOfName(name) : "other";
}

function languageOfName(name: string): Language {
  if (name.startsWith("[kernel") || name.endsWith("_[k]")) return "kernel";
  if (libraryFunction.test(name)) return "native";
  const method = name.slice(0, name.indexOf("(") >>> 0);
  return jvmMethod.test(method) && method.includes(".", method.lastIndexOf("/")) ? "JVM" : "other";
}

export function languagePalette(theme: Theme): string[] {
  return languages.map((language) => {
    const chroma = language === "other" ? 0.01 : language === "native" ? 0.04 : 0.11;
    return toHex(oklch(theme === "light" ? 0.8 : 0.54, chroma, table[language].hue));
  });
}
