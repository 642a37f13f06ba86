export interface ProfileTypeEntry {
  /** In headings, tabs and badges. */
  readonly label: string;
  /** Within a sentence, if that is not the label in lower case. */
  readonly name?: string;
  /** One of them, with its article. */
  readonly profile: string;
  /** A type for people only: calls file it under this type. The name of its first sample type distinguishes it there. */
  readonly storedAs?: "custom";
  /** Few services send it: it has a tab where there are profiles. */
  readonly isRare?: true;
  /** A gauge describes one moment, a counter all since the process started, a rate the time that the profile covers. */
  readonly kind?: "gauge" | "counter" | "rate";
  /** The sample types that measure it, as `type/unit`: Go's first, then the types of other runtimes. */
  readonly measuredBy: readonly `${string}/${string}`[];
  /** In profile type ids of Pyroscope: by default the name is that of the type, and the period is the first of `measuredBy`. */
  readonly pyroscope?: { readonly name?: string; readonly period?: `${string}/${string}` };
  /** Shown where none of these has values, the best one first. */
  readonly alsoHas?: readonly `${string}/${string}`[];
  /**
   * Names of profilers, in lower case with underscores, by the name as stored (undefined: as sent) and unit; `time` is any
   * unit of time. If a profile has several parts, they are added up.
   */
  readonly spellings?: readonly (readonly [
    stored: string | undefined,
    unit: string,
    names: string,
    isPart?: "part",
  ])[];
  /** Words in names that senders give: Pyroscope, Parca, net/http/pprof, Datadog, Coroot, file names. */
  readonly hints?: readonly string[];
  readonly alerts?: readonly WatchedValues[];
  /** Fields of timelines. */
  readonly figures?: readonly {
    readonly field: TimelineField;
    readonly of: "seconds" | "mean" | "percent";
  }[];
  /** Whether leaves are nearly always functions of the runtime, which say nothing about the code that waits. */
  readonly isWaiting?: true;
  /** The noun for one sample; a sample if it has none. */
  readonly sample?: string;
  /** The category of advice that it is mainly about. */
  readonly advice?: string;
  /** How a profile becomes smaller. Snapshots have no length: only windows can be shorter. */
  readonly toSendLess?: string;
  /** The meaning of a profile and of its total in a sentence, without the full stop. */
  readonly reading: (total: ReadTotal) => string;
}

export type TimelineField =
  | "cpu_seconds"
  | "avg_cpu_percent"
  | "memory_bytes"
  | "goroutine_count"
  | "mutex_usage"
  | "block_usage";

/** Values that alerts watch in every service. */
export interface WatchedValues {
  readonly sampleType: string;
  /** Within a sentence; undefined for values that other runtimes send under the first name. */
  readonly name?: string;
  /** A rate is divided by the profile's duration; a gauge is a count at one moment and stays as it is. */
  readonly kind: "rate" | "gauge";
  /** In the unit of the value. Smaller rises open no alert, whatever their percentage. */
  readonly riseMin: number;
  /** Any value above zero is a fault: it needs no comparison. */
  readonly isFault?: true;
  /** Whether it follows another value of the type, so that it says nothing about traffic. */
  readonly isSecondary?: true;
}

export interface ReadTotal {
  readonly sampleType: string;
  readonly value: string;
  /** `in 10 s`; empty for snapshots. */
  readonly over: string;
  /** `0.2 cores`, if the total is a time and the profile has a duration. */
  readonly cores: string | undefined;
}

export interface SampleTypeEntry {
  readonly label: string;
  readonly unit: string;
  /** The whole in a sentence about a share: `12 % of memory in use`. */
  readonly share?: string;
  /** The words after a total: `16 min 18 s of waits in all goroutines`. */
  readonly total?: string;
  /** Sample types that count its events, in profilers of Go, Node.js and others. */
  readonly countedBy?: readonly string[];
}
