import { GrowableUint32 } from "./growable.ts";

const growable = () => new GrowableUint32(1024);

/**
 * Working memory reused for each profile: allocating it costs more than the work done in it. Reading and
 * summing are synchronous, so that it has one user at a time; results are never stored in it.
 */
export const scratch = {
  /** By field number of the profile message. */
  spans: Array.from({ length: 7 }, growable),
  functions: growable(),
  mappings: growable(),
  locations: growable(),
  lines: growable(),
  locationIds: growable(),
  labels: growable(),
  frames: growable(),
  frameIds: growable(),
  frameLines: growable(),
  frameSlots: growable(),
  onlyFrame: growable(),
  isResolved: growable(),
  stacks: growable(),
  stackStarts: growable(),
  stackIds: growable(),
  stackSlots: growable(),
  stackOf: growable(),
};

const { spans, ...others } = scratch;
const all = [...spans, ...Object.values(others)];

/** Call it when a reader is done, successful or not. */
export function releaseScratch(): void {
  for (const memory of all) memory.release();
}
