import { rmSync } from "node:fs";
import { startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { atMost, type BenchResult } from "./result.ts";

/** How long it takes from the command to a healthy /readyz, on a new data folder and on one that exists. */
export async function benchStart(): Promise<BenchResult> {
  const env = { DEMO: "off", LOG_LEVEL: "error" };
  let startedAt = performance.now();
  const first = await startFlamekeep({ env });
  const firstMs = performance.now() - startedAt;
  await first.stop();
  startedAt = performance.now();
  const second = await startFlamekeep({ env, dataDir: first.dataDir });
  const secondMs = performance.now() - startedAt;
  const stoppingAt = performance.now();
  await second.stop();
  const stopMs = performance.now() - stoppingAt;
  rmSync(first.dataDir, { recursive: true, force: true });
  return {
    name: "start",
    input: "an installed and built checkout, demo off",
    measurements: [
      { what: "new data folder", value: firstMs, unit: "ms" },
      { what: "existing data folder", value: secondMs, unit: "ms", bar: atMost(2000) },
      { what: "Ctrl-C to the end", value: stopMs, unit: "ms" },
    ],
  };
}
