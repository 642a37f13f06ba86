import { z } from "zod";
import { roles } from "#base/call.ts";
import { endpointIn } from "#base/endpoint.ts";
import { storagePriceMax } from "#organizations/limit-table.ts";
import { OrganizationId } from "#organizations/organization.ts";
import { LimitsChange, LimitsInUse } from "#organizations/organization-limits.ts";
import * as calls from "./calls.ts";

/** The price of storage as the operator gives it. */
export const StoragePrice = z
  .strictObject({
    per_gb_month: z.number().min(0).max(storagePriceMax).meta({
      description: "For one GB (2^30 bytes) of uploads as they were sent, and a month.",
      example: 0.08,
    }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: "The currency must be three capital letters, such as EUR" })
      .meta({ example: "EUR" }),
  })
  .meta({ id: "StoragePrice" });
export type StoragePrice = z.output<typeof StoragePrice>;

export const StoredStoragePrice = StoragePrice.extend({
  source: z
    .enum(["operator", "file"])
    .meta({ description: "`file`: from LIMITS_FILE, and not changeable in the app.", example: "operator" }),
})
  .nullable()
  .meta({ description: "null: no price is set.", id: "StoredStoragePrice" });
export type StoredStoragePrice = z.output<typeof StoredStoragePrice>;

const operatorOnly = { roles, isOpenToDemo: false, isForOperator: true } as const;

const endpoint = endpointIn("Operation");

export const operatorLimitEndpoints = [
  endpoint(calls.setOrganizationLimits, {
    summary: "Change the limits of an organization",
    description:
      "Other processes of the server apply a change within ten seconds. Lower limits of bytes and services refuse new uploads only. With fewer days, older data is removed permanently within the hour. Limits in LIMITS_FILE cannot be changed. The audit log of the organization has each change.",
    ...operatorOnly,
    params: z.object({ id: z.string().meta(OrganizationId.meta() ?? {}) }),
    body: LimitsChange,
    reply: z.object({ limits: LimitsInUse }),
    failures: ["not_found", "conflict"],
  }),
  endpoint(calls.setStoragePrice, {
    summary: "Set the price of storage",
    description: "The overview of the operator shows with it what each organization costs a month.",
    ...operatorOnly,
    body: z.object({ storage_price: StoragePrice.nullable().meta({ description: "null: no price." }) }),
    reply: z.object({ storage_price: StoredStoragePrice }),
    failures: ["conflict"],
  }),
] as const;
