import { Piscina } from "piscina";
import type * as charts from "./charts.ts";
import type { MergeTask } from "./merged.ts";
import type { Resolved } from "./stored-stacks.ts";
import type { DrawTask, ProfileDescription, StoredProfile } from "./worker.ts";

type InThread<F extends (task: never) => unknown> = (task: Parameters<F>[0]) => Promise<ReturnType<F>>;

/** Threads that open stored profiles, so that a large one never holds up the main thread. */
export interface Decoders {
  /** The flame graph as columns or as JSON text. */
  drawFlameGraph(task: DrawTask): Promise<Uint8Array>;
  /** As `drawFlameGraph`, of stored stacks; call it through `withDefinitions`. */
  drawMergedFlameGraph(task: MergeTask): Promise<Resolved<Uint8Array>>;
  goroutinesOfProfile: InThread<typeof charts.goroutinesOfProfile>;
  goroutinesOfStacks: InThread<typeof charts.goroutinesOfStacks>;
  contentionOfProfile: InThread<typeof charts.contentionOfProfile>;
  contentionOfStacks: InThread<typeof charts.contentionOfStacks>;
  customOfProfile: InThread<typeof charts.customOfProfile>;
  customOfStacks: InThread<typeof charts.customOfStacks>;
  describeProfile(profile: StoredProfile): Promise<ProfileDescription>;
  close(): Promise<void>;
}

const chartsFile = new URL("./charts.ts", import.meta.url).href;
const merged = new URL("./merged.ts", import.meta.url).href;

/** One thread: the other cores are for ingestion, and a graph takes milliseconds. It starts with the first task. */
export function openDecoders(): Decoders {
  const pool = new Piscina({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
  });
  const chart =
    <T, R>(name: keyof typeof charts) =>
    (task: T): Promise<R> =>
      pool.run(task, { filename: chartsFile, name });
  return {
    drawFlameGraph: (task) => pool.run(task, { name: "drawFlameGraph" }),
    drawMergedFlameGraph: (task) => pool.run(task, { filename: merged, name: "drawMergedFlameGraph" }),
    goroutinesOfProfile: chart("goroutinesOfProfile"),
    goroutinesOfStacks: chart("goroutinesOfStacks"),
    contentionOfProfile: chart("contentionOfProfile"),
    contentionOfStacks: chart("contentionOfStacks"),
    customOfProfile: chart("customOfProfile"),
    customOfStacks: chart("customOfStacks"),
    describeProfile: (profile) => pool.run(profile, { name: "describeProfile" }),
    close: () => pool.destroy(),
  };
}
