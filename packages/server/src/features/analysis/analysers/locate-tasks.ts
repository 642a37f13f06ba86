import { type RangeTask, subjectOfRange } from "#analysis/ranges/range-tasks.ts";
import { subjectOf } from "#rules/subject.ts";
import { type Opened, openProfile, tryOpening } from "#stacks/open-profile.ts";
import type { Resolved } from "#stacks/ranges/stored-stacks.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { type LocatedFunction, locateFunctions } from "./locate-functions.ts";

interface LocateTask {
  readonly original: Original;
  readonly names: readonly string[];
}

/** Looks functions up in a stored profile. Runs in the background thread. */
export function locateInProfile({ original, names }: LocateTask): Opened<(LocatedFunction | undefined)[]> {
  return tryOpening(() => locateFunctions(subjectOf(openProfile(original), original.type), names));
}

/** Looks functions up in the merged profiles of a range. Runs in the background thread. */
export function locateInRange(
  task: RangeTask & { readonly names: readonly string[] },
): Resolved<(LocatedFunction | undefined)[]> {
  const resolved = subjectOfRange(task);
  if (resolved.missing !== undefined) return resolved;
  return { missing: undefined, value: locateFunctions(resolved.value.subject, task.names) };
}
