import { availableParallelism, getPriority, setPriority } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { keepFilesInMemory } from "./scripts/files-in-memory.ts";
import { LongestFirst } from "./scripts/longest-first.ts";

// Servers, engines and worker threads that tests start find their modules compiled: half of the time of their start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL(".cache/compiled", import.meta.url));

keepFilesInMemory();

/** As the commands of operators have, which would starve for minutes next to tests of a higher one. */
const priority = 10;
if (getPriority() < priority) setPriority(priority);

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // The report of a run has only the message: it must say what was in a list.
    chaiConfig: { truncateThreshold: 1000 },
    projects: [
      {
        // As packages/web/vite.config.ts has it.
        resolve: { alias: { "#guide": fileURLToPath(new URL("docs/guide", import.meta.url)) } },
        test: {
          name: "packages",
          include: ["packages/*/{src/**/,}*.test.{ts,tsx}", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          globalSetup: ["scripts/test-stores.ts"],
          setupFiles: ["scripts/property-tests.ts"],
          // Only for tests that hang: the slowest take half a minute where the machine is fast, and five times that where it is not.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Loading the server's modules takes longer than most files' tests: the files of a worker share them.
          isolate: false,
          // Tests make much that is soon garbage: collecting it in the usual 16 MB takes an eighth of their CPU.
          execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64"],
          // Half of their time these tests wait: for an engine, a lock, a time limit. The tests of the browser end before them.
          maxWorkers: availableParallelism() + 1,
          restoreMocks: true,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["e2e/harness/shared-server.ts"],
          // Programs of the guide, which mostly wait for the next time to send.
          maxConcurrency: 6,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A browser on a busy machine misses a moment now and then. The report names each test that had to be repeated.
          retry: process.env.CI ? 1 : 0,
          // Polling has the same limit as an action of Playwright, on a busy machine too.
          expect: { poll: { timeout: 30_000 } },
          // The files of a worker share a browser.
          isolate: false,
          // Some files wait a minute for a job of the server: meanwhile two others use two cores.
          maxWorkers: Math.max(3, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
