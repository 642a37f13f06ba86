import type { Noise, Traffic } from "./signals.ts";

/** One measured quantity of a service. */
export interface Signal {
  readonly name: "cpu" | "memory" | "goroutine" | "mutex";
  readonly level: number;
  readonly noise: Noise;
  /** How much of it follows the traffic, 0 to 1. */
  readonly follows: number;
  /** The exponent of the part that follows; 1 if undefined. */
  readonly power?: number;
  /** Standard deviation of its own wander within the hour. */
  readonly wander: number;
  /** Its first profile; the story's beginning if undefined. */
  readonly beginsMs?: number;
}

/** Something that makes signals worse: `factor` by the time since it began. */
export interface Regression {
  readonly signal: Signal["name"];
  readonly atMs: number;
  readonly untilMs: number;
  readonly factor: (sinceMs: number) => number;
  /** Only these instances; all if undefined. */
  readonly instances?: readonly number[];
}

/** A version that instances run from a moment on. */
interface Release {
  readonly version: string;
  readonly atMs: number;
  readonly instances?: readonly number[];
}

export interface Story {
  readonly days: number;
  readonly everyMs: number;
  readonly signals: readonly Signal[];
  readonly traffic: Traffic;
  readonly instances: number;
  /** Whether an instance runs at this time, at this share of the usual traffic; all do if undefined. */
  readonly runs?: (instance: number, ms: number, traffic: number) => boolean;
  readonly regressions: readonly Regression[];
  /** Changes that are part of normal operation: an alert about them is false. */
  readonly harmless?: readonly Regression[];
  readonly releases: readonly Release[];
  /** Whether profiles carry the version. */
  readonly hasVersions: boolean;
  /** Whether requests are counted; not if undefined. */
  readonly countsRequests?: boolean;
  /** Faults of the data themselves. */
  readonly faults?: Faults;
}

export interface Faults {
  /** Instances differ by this factor, e.g. 0.3 for 30% more or less. */
  readonly spread: number;
  /** The clock of an instance is off by up to this. */
  readonly skewMs: number;
  readonly silent: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** An instance is gone for ten minutes and then uses half for ten more. */
  readonly restarts: readonly { readonly instance: number; readonly atMs: number }[];
}
