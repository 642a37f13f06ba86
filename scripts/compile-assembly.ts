import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = "node_modules/assemblyscript/bin/asc.js";
const source = "packages/profile/src/fast-reader/assembly/index.ts";
// 256 MB at most, in pages of 64 KB: profiles that need more go to the general reader.
const options = "-O3 --enable simd --runtime stub --noAssert --maximumMemory 4096 --outFile".split(" ");

/** Compiles the WebAssembly reader: the same sources and compiler give the same bytes. */
export function compileAssembly(): Buffer {
  const folder = mkdtempSync(`${tmpdir()}/flamekeep-assembly-`);
  const target = `${folder}/out.wasm`;
  try {
    // A separate process: the compiler changes Binaryen's global options.
    execFileSync(process.execPath, [compiler, source, ...options, target], { cwd: root });
    return inlineCalls(readFileSync(target));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** V8 does not inline WebAssembly functions: the calls that the compiler leaves are a seventh of the time. */
function inlineCalls(bytes: Uint8Array): Buffer {
  const module = binaryen.readBinary(bytes);
  const { BulkMemory, BulkMemoryOpt, MutableGlobals, SIMD128, SignExt } = binaryen.Features;
  // WebAssembly 2.0, which every runtime we support has.
  module.setFeatures(BulkMemory | BulkMemoryOpt | MutableGlobals | SIMD128 | SignExt);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(400);
  binaryen.setFlexibleInlineMaxSize(2000);
  binaryen.setOneCallerInlineMaxSize(8000);
  binaryen.setAllowInliningFunctionsWithLoops(true);
  module.optimize();
  module.optimize();
  return Buffer.from(module.emitBinary());
}
