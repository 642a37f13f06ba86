import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { Count } from "#base/values.ts";
import * as calls from "./calls.ts";
import { type LimitName, limitNames, organizationLimits } from "./limit-table.ts";

const LimitSource = z.enum(["server", "operator", "file"]).meta({
  description:
    "`server`: the default of the server; `operator`: set for the organization in the app; `file`: set for the organization in LIMITS_FILE, and not changeable in the app.",
  example: "operator",
});
export type LimitSource = z.output<typeof LimitSource>;

const limit = (what: string, example: number) =>
  z
    .object({
      value: Count.meta({ example }),
      used: Count.meta({ example: Math.round(example / 4) }),
      source: LimitSource,
    })
    .meta({ description: what });

export const LimitsInUse = z
  .object({
    stored_bytes: limit("Bytes of stored uploads as they were sent. Read when asked for.", 53_687_091_200),
    uploads_per_minute: limit(
      "Requests of all keys to all servers of the installation. `used` counts the last full minute.",
      6000,
    ),
    services: limit("Services with stored data.", 100),
    retention_days: limit("Days that can be kept. `used`: days that the organization keeps.", 14),
    analyses_per_day: limit("Analyses on a day (UTC). `used`: today.", 200),
  } satisfies Record<LimitName, z.ZodType>)
  .meta({ id: "LimitsInUse" });
export type LimitsInUse = z.output<typeof LimitsInUse>;

const change = (name: LimitName, example: number) => {
  const { setting, min, max } = organizationLimits[name];
  const description = `null: the default of the server (${setting}).`;
  return z.int().min(min).max(max).nullable().optional().meta({ description, example });
};

/** The limits that change; a limit that is left out stays as it is. */
export const LimitsChange = z
  .strictObject({
    stored_bytes: change("stored_bytes", 53_687_091_200),
    uploads_per_minute: change("uploads_per_minute", 6000),
    services: change("services", 100),
    retention_days: change("retention_days", 14),
    analyses_per_day: change("analyses_per_day", 200),
  } satisfies Record<LimitName, z.ZodType>)
  .refine((given) => limitNames.some((name) => given[name] !== undefined), {
    error: `Give at least one of ${limitNames.join(", ")}`,
  });
export type LimitsChange = z.output<typeof LimitsChange>;

const endpoint = endpointIn("Organizations");

export const organizationLimitEndpoints = [
  endpoint(calls.getOrganizationLimits, {
    summary: "Limits of your organization and their usage",
    description: "Only the operator of the server can change them.",
    roles: ["admin"],
    reply: z.object({ limits: LimitsInUse }),
  }),
] as const;
