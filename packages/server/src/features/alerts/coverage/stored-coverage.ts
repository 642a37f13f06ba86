import { z } from "zod";
import type { Sensitivity } from "#alerts/detect/sensitivity.ts";

const Found = z.object({ rise: z.number(), withinMs: z.number() });

const StoredSignal = z.object({
  type: z.string(),
  sampleType: z.string(),
  judgedBy: z.enum(["learnt_noise", "first_days", "nothing"]),
  reason: z.enum(["few_days", "few_profiles", "no_profiles", "block_profiles"]).nullable(),
  knownMs: z.number(),
  noise: z.object({ windowMs: z.number(), deviation: z.number() }).nullable(),
  smallest: Found.nullable(),
  withinHour: Found.nullable(),
  /** One for each of `reportedRises`. */
  rises: z.array(Found.nullable()),
});
export type StoredSignal = z.output<typeof StoredSignal>;

/** Facts about a service's uploads that decide what alerts can see. */
const Sent = z.object({
  hasRequests: z.boolean(),
  hasVersions: z.boolean(),
  /** The number of instances that tags tell apart. */
  instances: z.number(),
  /** Sample types that are not judged. */
  notJudged: z.array(z.object({ type: z.string(), sampleType: z.string() })),
});
export type Sent = z.output<typeof Sent>;

/** The JSON of the column `coverage`. */
export const StoredCoverage = z.object({ signals: z.array(StoredSignal), sent: Sent });
export type StoredCoverage = z.output<typeof StoredCoverage>;

export function toStoredSignal(
  { type, sampleType }: { readonly type: string; readonly sampleType: string },
  { reason, noise, smallest, withinHour, rises, judgedBy, knownMs }: Sensitivity,
): StoredSignal {
  return {
    type,
    sampleType,
    judgedBy,
    knownMs,
    reason: reason ?? null,
    noise: noise ?? null,
    smallest: smallest ?? null,
    withinHour: withinHour ?? null,
    rises: rises.map((found) => found ?? null),
  };
}
