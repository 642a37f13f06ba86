import type { Session } from "node:inspector/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ProfileType } from "@flamekeep/contract";
import { type Profile, profileOfValues } from "@flamekeep/profile";
import { pause } from "#store/job-log.ts";
import { cpuProfileOf, heapProfileOf, nanoseconds } from "./v8-profiles.ts";

/** A hundred samples a second, as Go's profiler takes them. */
const cpuPeriodUs = 10_000;
/** Mean number of allocated bytes between two samples of the heap, as in Go's profiler. */
const heapPeriodBytes = 512 * 1024;

/** Profiles the main thread of this process through V8's inspector, which is loaded with the first recording. */
export class Recorder {
  #session: Session | undefined;
  readonly #delay = monitorEventLoopDelay({ samplePerIteration: true });

  /** Samples the CPU for a time. Resolves with a profile of each type, and with none if the signal aborts meanwhile. */
  async record(ms: number, stopped: AbortSignal): Promise<[ProfileType, Profile][]> {
    const session = await this.#open();
    const startedAtMs = Date.now();
    const startMs = performance.now();
    await session.post("Profiler.start");
    await pause(ms, stopped);
    const { profile } = await session.post("Profiler.stop");
    const durationMs = performance.now() - startMs;
    if (stopped.aborted) return [];
    const heap = await session.post("HeapProfiler.getSamplingProfile");
    const nowMs = Date.now();
    return [
      ["cpu", cpuProfileOf(profile, { startedAtMs, durationMs, periodUs: cpuPeriodUs })],
      ["memory", heapProfileOf(heap.profile.head, nowMs)],
      ["custom", this.#delays(nowMs)],
    ];
  }

  close(): void {
    this.#delay.disable();
    this.#session?.disconnect();
  }

  async #open(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    session.connect();
    this.#session = session;
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: cpuPeriodUs });
    await session.post("HeapProfiler.startSampling", { samplingInterval: heapPeriodBytes });
    this.#delay.enable();
    return session;
  }

  /** Delays of the event loop since the last recording. */
  #delays(nowMs: number): Profile {
    const delay = this.#delay;
    const gauges = {
      event_loop_delay_p50: delay.percentile(50),
      event_loop_delay_max: delay.max,
      event_loop_delay_p99: delay.percentile(99),
    };
    delay.reset();
    const values = Object.entries(gauges).map(([type, value]) => ({ type, unit: "nanoseconds", value }));
    return profileOfValues("(event loop)", values, { timeNs: nanoseconds(nowMs) });
  }
}
