import type { TargetProfile } from "@flamekeep/contract";

/** How a profile is asked for, and how its bytes are stored. */
export interface ProfilePath {
  /** After the target's prefix. */
  readonly path: string;
  /** Whether the process measures for `?seconds=`. Never used for gauges and counters: the difference of gauges has negative values. */
  readonly isTimed?: true;
  /** The parameters of the upload. */
  readonly query: Readonly<Record<string, string>>;
  /** Whether the process itself subtracts its answer before: the first answer has everything since its start. */
  readonly isDelta?: true;
  /** The end of the sentence for 404, if the profile has a handler that net/http/pprof has not. */
  readonly missing?: string;
  /** The end of the sentence if net/http/pprof answers, and has no such profile. */
  readonly unknown?: string;
}

const leak = "It needs Go 1.27, or Go 1.26 with GOEXPERIMENT=goroutineleakprofile.";
const godeltaprof = "It needs an import of github.com/grafana/pyroscope-go/godeltaprof/http/pprof.";
const rate = "Set its rate in the program, or leave it out of this target.";

export const profilePaths: Readonly<Record<TargetProfile, ProfilePath>> = {
  cpu: { path: "/debug/pprof/profile", isTimed: true, query: { type: "cpu" } },
  heap: { path: "/debug/pprof/heap", query: { type: "heap" } },
  allocs: { path: "/debug/pprof/allocs", query: { type: "allocs" } },
  goroutine: { path: "/debug/pprof/goroutine", query: { type: "goroutine" } },
  mutex: { path: "/debug/pprof/mutex", query: { type: "mutex" }, unknown: rate },
  block: { path: "/debug/pprof/block", query: { type: "block" }, unknown: rate },
  goroutineleak: { path: "/debug/pprof/goroutineleak", query: { type: "goroutineleak" }, unknown: leak },
  fgprof: {
    path: "/debug/fgprof",
    isTimed: true,
    query: {},
    missing: "It needs the handler of github.com/felixge/fgprof.",
  },
  delta_heap: {
    path: "/debug/pprof/delta_heap",
    query: { type: "heap", delta: "true" },
    isDelta: true,
    missing: godeltaprof,
  },
  delta_mutex: {
    path: "/debug/pprof/delta_mutex",
    query: { type: "mutex", delta: "true" },
    isDelta: true,
    missing: godeltaprof,
  },
  delta_block: {
    path: "/debug/pprof/delta_block",
    query: { type: "block", delta: "true" },
    isDelta: true,
    missing: godeltaprof,
  },
};
