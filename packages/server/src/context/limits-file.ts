import { readFileSync } from "node:fs";
import {
  type LimitName,
  type OwnLimits,
  organizationLimits,
  type StoragePrice,
  storagePriceMax,
} from "@flamekeep/contract";
import { z } from "zod";

/** Limits that LIMITS_FILE sets. */
export interface LimitsFile {
  readonly organizations: ReadonlyMap<string, OwnLimits>;
  /** Undefined: set in the app, or not at all. */
  readonly storagePrice: StoragePrice | undefined;
}

export const noLimitsFile: LimitsFile = { organizations: new Map(), storagePrice: undefined };

function limitValue(name: LimitName) {
  const { min, max } = organizationLimits[name];
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

const Limits = z.strictObject({
  stored_bytes: limitValue("stored_bytes").optional(),
  uploads_per_minute: limitValue("uploads_per_minute").optional(),
  services: limitValue("services").optional(),
  retention_days: limitValue("retention_days").optional(),
  analyses_per_day: limitValue("analyses_per_day").optional(),
} satisfies Record<LimitName, z.ZodType>);

const priceText = `must be a number from 0 to ${storagePriceMax}`;

const Price = z.strictObject({
  per_gb_month: z
    .number({ error: priceText })
    .min(0, { error: priceText })
    .max(storagePriceMax, { error: priceText }),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: "must be three capital letters, such as EUR" }),
});

const File = z.strictObject({
  organizations: z
    .record(z.string(), Limits)
    .refine((given) => Object.keys(given).every((id) => z.uuid().safeParse(id).success), {
      error: "must have ids of organizations as names, such as b2c1f0de-93a4-4e7b-8a56-51d0c7e4f982",
    })
    .default({}),
  storage_price: Price.optional(),
});

/** Reads the file, or says in one sentence for each problem where in it and what to change. */
export function readLimitsFile(
  path: string,
  retentionDays: number,
): LimitsFile | { readonly problems: string[] } {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    const reason = (cause as Error).message;
    const what = cause instanceof SyntaxError ? "is not JSON" : "cannot be read";
    return { problems: [`LIMITS_FILE ${path} ${what}: ${reason}`] };
  }
  const parsed = File.safeParse(given);
  const problems = parsed.success
    ? contradictions(parsed.data, retentionDays)
    : parsed.error.issues.map(({ path: at, message }) => `${at.join(".")} ${message}`.trimStart());
  if (!parsed.success || problems.length > 0) {
    // A number beyond all bounds breaks several rules, which have one text.
    return { problems: [...new Set(problems)].map((problem) => `LIMITS_FILE ${path}: ${problem}`) };
  }
  const { organizations, storage_price: storagePrice } = parsed.data;
  const own = Object.entries(organizations as Record<string, OwnLimits>);
  return { organizations: new Map(own.map(([id, limits]) => [id.toLowerCase(), limits])), storagePrice };
}

function contradictions({ organizations }: z.output<typeof File>, retentionDays: number): string[] {
  return Object.entries(organizations)
    .filter(([, { retention_days: days = 0 }]) => days > retentionDays)
    .map(([id]) => `organizations.${id}.retention_days must be at most RETENTION_DAYS (${retentionDays})`);
}
