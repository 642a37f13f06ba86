// Writes the compiled WebAssembly reader into packages/profile. Run it after a change of its sources; a test compiles them again
// and compares the bytes.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { compileAssembly } from "./compile-assembly.ts";

const target = fileURLToPath(
  new URL("../packages/profile/src/fast-reader/assembly-bytes.ts", import.meta.url),
);
const bytes = compileAssembly();
writeFileSync(
  target,
  `// Made by scripts/build-assembly.ts from the sources in packages/profile/src/fast-reader/assembly: do not edit.

/** A WebAssembly module in base64. */
export const assemblyBytes =
  "${bytes.toString("base64")}";
`,
);
process.stdout.write(`${bytes.length} bytes in ${target}\n`);
