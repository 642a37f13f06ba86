// Compiles packages/profile/src/fast-reader/assembly to the bytes that packages/profile carries. Run it after a change there; a test compares
// the sources with those the bytes were made of.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assemblyHash, assemblySources } from "./assembly-sources.ts";

/** Not among the dependencies: it and what it needs are 100 MB that nobody else uses. */
const compiler = "assemblyscript@0.28.20";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}.build/assemblyscript`;
const target = `${root}packages/profile/src/fast-reader/assembly-bytes.ts`;

if (!existsSync(`${folder}/node_modules/assemblyscript`)) {
  process.stdout.write(`Installing ${compiler} ...\n`);
  execFileSync("npm", ["install", "--no-save", "--prefix", folder, compiler], { stdio: "inherit" });
}
const work = mkdtempSync(`${tmpdir()}/flamekeep-assembly-`);
execFileSync(
  process.execPath,
  [
    `${folder}/node_modules/assemblyscript/bin/asc.js`,
    `${assemblySources}index.ts`,
    // 256 MB at most, in pages of 64 KB: beyond, the general reader takes over.
    ..."-O3 --enable simd --runtime stub --noAssert --maximumMemory 4096 --outFile".split(" "),
    `${work}/out.wasm`,
  ],
  { stdio: "inherit" },
);
const bytes = await withoutCalls(readFileSync(`${work}/out.wasm`));
rmSync(work, { recursive: true });
writeFileSync(
  target,
  `// Made by scripts/build-assembly.ts of the sources in packages/profile/src/fast-reader/assembly: do not edit.

/** A hash of the sources. */
export const assemblyHash = "${assemblyHash()}";

/** A WebAssembly module in base64. */
export const assemblyBytes =
  "${bytes.toString("base64")}";
`,
);
process.stdout.write(`${bytes.length} bytes in packages/profile/src/fast-reader/assembly-bytes.ts\n`);

/** V8 does not inline functions of WebAssembly: the calls that the compiler leaves are a seventh of the time. */
async function withoutCalls(bytes: Uint8Array): Promise<Buffer> {
  const { default: binaryen } = await import(`${folder}/node_modules/binaryen/index.js`);
  const module = binaryen.readBinary(bytes);
  const { BulkMemory, BulkMemoryOpt, MutableGlobals, SIMD128, SignExt } = binaryen.Features;
  // Only features of WebAssembly 2.0, which every supported runtime has.
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
