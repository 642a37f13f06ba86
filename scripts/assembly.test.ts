import { assemblyBytes } from "@flamekeep/profile/assembly-bytes";
import { expect, test } from "vitest";
import { compileAssembly } from "./compile-assembly.ts";

test("the committed WebAssembly reader is what its sources compile to (else: node scripts/build-assembly.ts)", {
  timeout: 300_000,
}, () => {
  expect(compileAssembly().toString("base64")).toBe(assemblyBytes);
});
