import { Piscina } from "piscina";
import type { DrawTask, ProfileDescription, StoredProfile } from "./worker.ts";

/** Threads that open stored profiles, so that a large one never holds up the main thread. */
export interface Decoders {
  /** The flame graph as columns or as JSON text. */
  drawFlameGraph(task: DrawTask): Promise<Uint8Array>;
  describeProfile(profile: StoredProfile): Promise<ProfileDescription>;
  close(): Promise<void>;
}

/** One thread: the other cores are for ingestion, and a graph takes milliseconds. It starts with the first task. */
export function openDecoders(): Decoders {
  const pool = new Piscina({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
  });
  return {
    drawFlameGraph: (task) => pool.run(task, { name: "drawFlameGraph" }),
    describeProfile: (profile) => pool.run(profile, { name: "describeProfile" }),
    close: () => pool.destroy(),
  };
}
