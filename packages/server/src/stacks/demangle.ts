import { readFileSync } from "node:fs";
import type { FrameTable, Profile } from "@flamekeep/profile";

/** In every version of Node, though not in its types. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Library };
  RuntimeError: typeof Error;
};

/** The used part of gecko-profiler-demangle. Texts are UTF-8 in its memory. */
interface Library {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __wbindgen_malloc: (length: number, align: number) => number;
  readonly __wbindgen_free: (at: number, length: number, align: number) => void;
  /** Frees the name. */
  readonly demangle_any: (at: number, length: number) => readonly [at: number, length: number];
}

/** Itanium C++ and both forms of Rust; macOS puts one more underscore before them. */
const mangled = /^_{1,2}[ZR]/;
/** Names grow when they are demangled, and what is longer says nothing more to a reader. */
const lengthMax = 4096;
/**
 * Parts of a name refer to parts before them, so that 300 characters can become terabytes. With this many pages of 64 KiB, the library
 * gives such a name up after some milliseconds.
 */
const memoryPagesMax = 24;
/** Characters of names in one table that are too long to be shown, about a second of work. */
const unusedCharactersMax = 20_000_000;
/** Added for a name that is given up, which takes as much time. */
const charactersGivenUp = 500_000;

let module: object | undefined;
let library: Library | undefined;

/** Node announces WebAssembly modules that it imports itself as experimental, on the console of every thread. */
function openLibrary(): Library {
  const file = new URL(import.meta.resolve("gecko-profiler-demangle/index_bg.wasm"));
  module ??= new WebAssembly.Module(withMemoryMax(readFileSync(file)));
  // The import is for values of JavaScript, which are not passed.
  const imports = { "./index_bg.js": { __wbindgen_init_externref_table() {} } };
  return new WebAssembly.Instance(module, imports).exports;
}

/** The module with a limit in its memory section: id, length, number of memories, whether there is a limit, pages at the start, limit. */
function withMemoryMax(bytes: Buffer): Buffer {
  const at = bytes.indexOf(Uint8Array.of(5, 3, 1, 0));
  if (at === -1) throw new Error("The demangler's memory section is not as expected");
  const section = Uint8Array.of(5, 4, 1, 1, bytes[at + 4]!, memoryPagesMax);
  return Buffer.concat([bytes.subarray(0, at), section, bytes.subarray(at + 5)]);
}

/** Undefined if the memory does not suffice. */
function demangled(name: string): string | undefined {
  library ??= openLibrary();
  const { memory, demangle_any: demangle, __wbindgen_malloc: allocate, __wbindgen_free: free } = library;
  try {
    const text = Buffer.from(name);
    const place = allocate(text.length, 1) >>> 0;
    text.copy(new Uint8Array(memory.buffer, place, text.length));
    const [at, length] = demangle(place, text.length);
    const found = Buffer.from(memory.buffer, at >>> 0, length).toString();
    free(at, length, 1);
    return found;
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // Its memory is in no usable state.
    library = undefined;
    return undefined;
  }
}

/** Demangles the names of one table of frames, within a bounded time: they are hostile input. */
export class Demangler {
  #unusedCharacters = 0;

  /** A name as its programmer wrote it: `_ZN4shop4Cart3addEi` is `shop::Cart::add(int)`. Other names are returned as they are. */
  shownName(name: string): string {
    if (!mangled.test(name) || name.length > lengthMax || this.#unusedCharacters > unusedCharactersMax)
      return name;
    const found = demangled(name);
    if (found === undefined || found.length > lengthMax) {
      this.#unusedCharacters += found?.length ?? charactersGivenUp;
      return name;
    }
    // The library answers with all but the underscore where it fails.
    return found === name.slice(1) ? name : found;
  }
}

/** The frames with the names that are shown and the stored ones. Their ids are those of the stored names. */
export function withDemangledNames(frames: FrameTable): FrameTable {
  const names = frames.functionName;
  if (!names.some((name) => mangled.test(name))) return frames;
  const demangler = new Demangler();
  const shown = new Map<string, string>();
  const functionName = names.map((name) => {
    let text = shown.get(name);
    if (text === undefined) {
      text = demangler.shownName(name);
      shown.set(name, text);
    }
    return text;
  });
  return { ...frames, functionName, storedName: names };
}

/** As `withDemangledNames`, of a profile whose samples are not summed by stack. */
export function withDemangledFunctions(profile: Profile): Profile {
  const { functions } = profile;
  const strings = [...profile.strings];
  const isMangled = functions.name.some((name) => mangled.test(strings[name]!));
  if (!isMangled) return profile;
  const demangler = new Demangler();
  for (const name of new Set(functions.name)) strings[name] = demangler.shownName(strings[name]!);
  return { ...profile, strings };
}
