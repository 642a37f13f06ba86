import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Servers, engines and worker threads that tests start find their modules compiled: half of the time of their start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL(".cache/compiled", import.meta.url));

export default defineConfig({
  test: {
    // On two cores vitest would use one: most tests wait for an engine in its own process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "packages",
          include: ["packages/*/src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          globalSetup: ["scripts/test-stores.ts"],
          setupFiles: ["scripts/property-tests.ts"],
          // The stores start real engines; on a busy machine of two cores that takes a while.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Loading the server's modules takes longer than most files' tests: the files of a worker share them.
          isolate: false,
          restoreMocks: true,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          // Each file has its own server and browser; two of them share two cores.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
