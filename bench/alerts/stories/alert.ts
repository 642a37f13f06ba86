import type { Signal } from "./story.ts";

export interface Alert {
  readonly signal: Signal["name"];
  readonly atMs: number;
  readonly increase: number;
  /** undefined while open. */
  readonly resolvedMs: number | undefined;
}
