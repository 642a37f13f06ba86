import { minuteMs } from "@flamekeep/contract/durations";
import { Piscina } from "piscina";
import { damagedPayload } from "#store/payloads/damaged-payload.ts";
import type * as charts from "./charts.ts";
import type { MergeTask } from "./merged.ts";
import type { Opened } from "./open-profile.ts";
import type { Resolved } from "./stored-stacks.ts";
import type { Drawing, DrawTask, ProfileDescription, StoredProfile } from "./worker.ts";

/** As in the thread; throws `damaged` where a stored profile cannot be opened. */
type OfProfile<F extends (task: never) => Opened<unknown>> = (
  task: Parameters<F>[0],
) => Promise<ReturnType<F> extends Opened<infer R> ? R : never>;

type InThread<F extends (task: never) => unknown> = (task: Parameters<F>[0]) => Promise<ReturnType<F>>;

/** Threads that open stored profiles, so that a large one never holds up the main thread. */
export interface Decoders {
  drawFlameGraph(task: DrawTask): Promise<Drawing>;
  /** As `drawFlameGraph`, of stored stacks; call it through `withDefinitions`. */
  drawMergedFlameGraph(task: MergeTask): Promise<Resolved<Uint8Array>>;
  goroutinesOfProfile: OfProfile<typeof charts.goroutinesOfProfile>;
  goroutinesOfStacks: InThread<typeof charts.goroutinesOfStacks>;
  contentionOfProfile: OfProfile<typeof charts.contentionOfProfile>;
  contentionOfStacks: InThread<typeof charts.contentionOfStacks>;
  customOfProfile: OfProfile<typeof charts.customOfProfile>;
  customOfStacks: InThread<typeof charts.customOfStacks>;
  describeProfile(profile: StoredProfile): Promise<ProfileDescription>;
  [Symbol.asyncDispose](): Promise<void>;
}

const chartsFile = new URL("./charts.ts", import.meta.url).href;
const merged = new URL("./merged.ts", import.meta.url).href;

/** One thread: the other cores are for ingestion, and a graph takes milliseconds. It starts with the first task. */
export function openDecoders(): Decoders {
  const pool = new Piscina({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: minuteMs,
    // Who came first is answered first.
    stricterFIFO: true,
    recordTiming: false,
  });
  const chart =
    <T, R>(name: keyof typeof charts) =>
    (task: T): Promise<R> =>
      pool.run(task, { filename: chartsFile, name });
  const ofProfile =
    <T, R>(name: string, filename?: string) =>
    async (task: T): Promise<R> => {
      const opened: Opened<R> = await pool.run(task, filename === undefined ? { name } : { filename, name });
      if (opened.damage === undefined) return opened.value;
      throw damagedPayload(opened.damage.profileId, opened.damage.reason);
    };
  return {
    drawFlameGraph: ofProfile("drawFlameGraph"),
    drawMergedFlameGraph: (task) => pool.run(task, { filename: merged, name: "drawMergedFlameGraph" }),
    goroutinesOfProfile: ofProfile("goroutinesOfProfile", chartsFile),
    goroutinesOfStacks: chart("goroutinesOfStacks"),
    contentionOfProfile: ofProfile("contentionOfProfile", chartsFile),
    contentionOfStacks: chart("contentionOfStacks"),
    customOfProfile: ofProfile("customOfProfile", chartsFile),
    customOfStacks: chart("customOfStacks"),
    describeProfile: ofProfile("describeProfile"),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}
