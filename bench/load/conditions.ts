import { join } from "node:path";
import process from "node:process";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";

/** The services that the uploads of a load are spread over. */
export const loadServices = 5;

/** How long each load of a bench lasts. */
export function loadSeconds(): number {
  return Number(process.env.BENCH_SECONDS ?? 60);
}

/** Settings of a server under load: without the demo and without a limit of the uploads of a key. */
const underLoad = { DEMO: "off", LOG_LEVEL: "error", INGEST_PER_MINUTE: "10000000" };

/**
 * @param more further settings
 * @param checkout a built checkout of another version; this one if it is left out
 */
export function startUnderLoad(
  more: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Flamekeep> {
  const command =
    checkout === undefined
      ? undefined
      : ([process.execPath, join(checkout, "scripts/bootstrap.mjs"), "start"] as const);
  return startFlamekeep({ env: { ...underLoad, ...more }, ...(command && { command }) });
}
