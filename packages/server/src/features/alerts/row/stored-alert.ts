import type { Selectable } from "kysely";
import { z } from "zod";
import type { Reference } from "#alerts/detect/resolution/reference.ts";
import { instanceTags } from "#store/profiles/tag-names.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";

export type AlertRow = Selectable<Database["alerts"]>;

/** The alerts of an organization. */
export function alertsOf(rows: RowStore, orgId: string) {
  return rows.selectFrom("alerts").selectAll().where("orgId", "=", orgId);
}

/** The columns of the rule that opened an alert. */
export type RuleColumns = Pick<AlertRow, "ruleId" | "rule" | "severity">;

/** An alert before it is stored and belongs to an incident. The detector opens those without the columns of a rule. */
export type NewAlert = Omit<AlertRow, "incidentId" | "withheldAt" | "unmutedAt" | keyof RuleColumns> &
  Partial<RuleColumns>;

export const ofDetector: RuleColumns = { ruleId: null, rule: null, severity: null };

/** The JSON of the column `functions`; values in the unit of the alert's values. */
export const GrownFunctions = z.array(
  z.object({
    name: z.string(),
    selfBefore: z.number(),
    selfAfter: z.number(),
    totalBefore: z.number(),
    totalAfter: z.number(),
    share: z.number(),
    totalShare: z.number(),
    // Alerts of earlier versions do not have the rest.
    /** The part of the increase in stacks whose application function nearest to the leaf is this one. */
    ownShare: z.number().default(0),
    file: z.string().default(""),
    /** Where most of the increase is; 0 if it is not known. */
    line: z.number().default(0),
    /** The functions that lead to the culprit, from the root, with itself. Empty for the others. */
    path: z.array(z.string()).default([]),
  }),
);
export type GrownFunction = z.output<typeof GrownFunctions>[number];

/** A function with less of the increase is not named. */
const shareMin = 0.05;

/** The function of the application that most of the increase is in, or in libraries it calls. */
export function culpritOf<F extends { readonly ownShare: number }>(functions: readonly F[]): F | undefined {
  const [most] = functions.toSorted((a, b) => b.ownShare - a.ownShare);
  return most === undefined || most.ownShare < shareMin ? undefined : most;
}

/** The JSON of the column `circumstances`. */
export const Circumstances = z.object({
  /**
   * Whether the service sends HTTP metrics: without them, more traffic looks like a change of the code. Undefined for rules, which do
   * not look for a cause.
   */
  hasRequests: z.boolean().optional(),
  /** The version that was first seen near the beginning, and how many instances ran it when the alert opened. */
  release: z
    .object({
      before: z.string(),
      after: z.string(),
      at: z.string(),
      instances: z.object({ running: z.number(), all: z.number() }).optional(),
      /** Means of an instance on each version while both ran. */
      values: z.object({ before: z.number(), after: z.number() }).optional(),
    })
    .nullable(),
  /** By how much the beginning can be off; 0 for alerts of earlier versions. */
  beganErrorMs: z.number().default(0),
  /** The highest hour of the weeks before a trend began. null for steps, and for alerts of earlier versions. */
  highest: z.object({ value: z.number(), at: z.string() }).nullable().default(null),
  /** Instances that ran when an alert about some of them opened. */
  instancesRunning: z.number().optional(),
  /** Growth of an hour as a fraction, where a rise that opened as a step goes on. */
  perHour: z.number().optional(),
  /** Between which increases the rise is likely, if values are noisy. */
  range: z.object({ from: z.number(), to: z.number() }).optional(),
  /** How long a run takes that is longer than those before. */
  run: z.object({ lastsMs: z.number(), usualMs: z.number() }).optional(),
  /** When the alert before it of the same series was resolved, in the same incident. */
  resolvedBefore: z.string().optional(),
  /** Parts of the rise by the tags of their profiles, as fractions of it. Empty for alerts of earlier versions. */
  parts: z.array(z.object({ tags: z.record(z.string(), z.string()), share: z.number() })).default([]),
  /** Of alerts about functions: the change of the whole service between the two ranges, as a fraction. */
  serviceIncrease: z.number().optional(),
});
export type Circumstances = z.output<typeof Circumstances>;

/** One instance makes a rise alone if it has at least this part of it, and each other at most that. */
const alone = { shareMin: 0.8, othersMax: 0.15 };

/** The instance that makes the rise of a whole service, and how many there are; undefined if several do, or the parts do not tell. */
export function risenAlone(
  parts: Circumstances["parts"],
): { readonly name: string; readonly all: number } | undefined {
  const shares = new Map<string, number>();
  for (const { tags, share } of parts) {
    const tag = instanceTags.find((name) => tags[name] !== undefined);
    if (tag === undefined) return undefined;
    shares.set(tags[tag]!, (shares.get(tags[tag]!) ?? 0) + share);
  }
  const [first, ...others] = [...shares].toSorted((a, b) => b[1] - a[1]);
  if (first === undefined || others.length === 0 || first[1] < alone.shareMin) return undefined;
  const areOthersCalm = others.every(([, share]) => Math.abs(share) <= alone.othersMax);
  return areOthersCalm ? { name: first[0], all: shares.size } : undefined;
}

const Hours = z.array(z.number().nullable());

const StoredReference = z.object({
  atMs: z.number(),
  previous: z.number(),
  requests: z.number().optional(),
  usual: z.object({ values: Hours, requests: Hours }),
  beganMs: z.number().optional(),
  increase: z.number().optional(),
  perHour: z.number().optional(),
  restartsEveryMs: z.number().optional(),
  scope: z
    .object({ instances: z.array(z.string()), version: z.string().optional(), above: z.number() })
    .transform(({ version, ...rest }) => ({ ...rest, version }))
    .optional(),
});

export function fromReference(reference: Reference): string {
  return JSON.stringify(reference);
}

/** The parts of a reference that are shown; none of alerts that opened before they were kept. */
export function toEvidence(text: string): Pick<Reference, "perHour" | "restartsEveryMs" | "scope"> {
  const parsed = StoredReference.safeParse(JSON.parse(text));
  if (!parsed.success) return {};
  const { perHour, restartsEveryMs, scope } = parsed.data;
  return { perHour, restartsEveryMs, scope };
}

export function toReference(text: string): Reference {
  const { requests, ...rest } = StoredReference.parse(JSON.parse(text));
  return { ...rest, requests };
}
