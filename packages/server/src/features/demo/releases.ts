/** A release that made a service worse. */
export interface Release {
  readonly service: string;
  /** Before the demo's beginning. */
  readonly hoursBefore: number;
  /** What it broke gets worse from window to window, so the windows follow in order and the last one stays. */
  readonly isClimbing: boolean;
}

/** One regression of CPU time, one of memory, one leak of goroutines: three alerts, no more. */
export const releases: readonly Release[] = [
  { service: "checkout", hoursBefore: 3, isClimbing: false },
  { service: "catalog", hoursBefore: 5, isClimbing: false },
  { service: "search", hoursBefore: 4, isClimbing: true },
];
