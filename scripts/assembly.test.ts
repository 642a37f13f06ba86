import { assemblyHash } from "@flamekeep/profile/assembly-bytes";
import { expect, test } from "vitest";
import { assemblyHash as hashOfSources } from "./assembly-sources.ts";

test("the compiled profile reader is built from these sources: if not, run scripts/build-assembly.ts", () => {
  expect(assemblyHash).toBe(hashOfSources());
});
