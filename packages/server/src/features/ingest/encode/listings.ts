import type { ProfileType } from "@flamekeep/contract";
import {
  type Measure,
  measuredTypes,
  measuresByType,
  measuresOf,
  measuresWithValues,
  type ProfileStacks,
  withMeasures,
} from "@flamekeep/profile";

/** An upload under one type. */
export interface Listing {
  readonly type: ProfileType;
  /** The measures of the type, with the stacks that have one; all that was sent if nothing else was. */
  readonly profile: ProfileStacks;
}

/**
 * The types that an upload measures: one for most, several for profilers that write all measures into one file. The first one owns
 * the bytes. It does not depend on the type that the sender named, unless that has no values, so that the same content is recognized.
 *
 * @param type as checked against the content
 * @param named as the sender gave it
 */
export function listingsOf(
  profile: ProfileStacks,
  type: ProfileType,
  named: string | undefined,
): readonly Listing[] {
  const listing = (type: ProfileType, measures: readonly Measure[]) => ({
    type,
    profile: withMeasures(profile, measures),
  });
  if (named === "custom" || named === "threadcreate") return [{ type, profile }];
  const byType = measuresByType(profile);
  if (byType.size === 1) return [listing(type, measuresOf(profile, type))];
  const measured = measuredTypes(profile, byType);
  const requested = listedType(type, measured);
  const types = measured.includes(requested) ? measured : [requested, ...measured];
  return types.map((each) => listing(each, measuresAmongOthers(profile, each)));
}

/** Profilers declare measures that are switched off. Among custom ones these would only hide the others. */
function measuresAmongOthers(profile: ProfileStacks, type: ProfileType): readonly Measure[] {
  const measures = measuresOf(profile, type);
  if (type !== "custom") return measures;
  const withValues = measuresWithValues(profile, measures);
  return withValues.length > 0 ? withValues : measures;
}

/** Mutex and block profiles are separate files of Go. In a file with other measures, waiting for locks is filed under mutex, and parking under block. */
export function listedType(type: ProfileType, measured: readonly ProfileType[]): ProfileType {
  return type === "block" && !measured.includes(type) ? "mutex" : type;
}
