import process from "node:process";

/** The folder of stores that several tests use. Set by scripts/test-stores.ts, which removes it after the last test. */
export function testStoresFolder(): string {
  const { FLAMEKEEP_TEST_STORES: folder } = process.env;
  if (folder === undefined) throw new Error("FLAMEKEEP_TEST_STORES is not set: run the tests with vitest");
  return folder;
}
