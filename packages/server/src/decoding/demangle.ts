import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FrameTable, Profile } from "@flamekeep/profile";
import * as bindings from "gecko-profiler-demangle/index_bg.js";

/** In every version of Node, though not in its types. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: { __wbindgen_start(): void } };
};

/** Itanium C++ and both forms of Rust; macOS puts one more underscore before them. */
const mangled = /^_{1,2}[ZR]/;
/** Names grow when they are demangled, and what is longer says nothing more to a reader. */
const lengthMax = 4096;

let isReady = false;

/** Node announces WebAssembly modules that it imports itself as experimental, on the console of every thread. */
function load(): void {
  const file = createRequire(import.meta.url).resolve("gecko-profiler-demangle/index_bg.wasm");
  const module = new WebAssembly.Module(readFileSync(file));
  const { exports } = new WebAssembly.Instance(module, { "./index_bg.js": { ...bindings } });
  bindings.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  isReady = true;
}

/** A name as its programmer wrote it: `_ZN4shop4Cart3addEi` is `shop::Cart::add(int)`. Other names are returned as they are. */
export function demangledName(name: string): string {
  if (!mangled.test(name) || name.length > lengthMax) return name;
  if (!isReady) load();
  const found = bindings.demangle_any(name);
  // The library answers with all but the underscore where it fails.
  return found === name.slice(1) || found.length > lengthMax ? name : found;
}

/** The frames with the names that are shown and the stored ones. Their ids are those of the stored names. */
export function withDemangledNames(frames: FrameTable): FrameTable {
  const names = frames.functionName;
  if (!names.some((name) => mangled.test(name))) return frames;
  const shown = new Map<string, string>();
  const functionName = names.map((name) => {
    let text = shown.get(name);
    if (text === undefined) {
      text = demangledName(name);
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
  for (const name of new Set(functions.name)) strings[name] = demangledName(strings[name]!);
  return { ...profile, strings };
}
