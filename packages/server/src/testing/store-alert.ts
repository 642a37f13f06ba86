import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Database, RowStore } from "#store/row/row-store.ts";

interface NewAlert {
  readonly orgId: string;
  readonly service: string;
  /** Time of its ranges, and when it opened. */
  readonly at: string;
  readonly profileId: string;
}

/** Stores an open alert about the CPU of a service, or one with other values. Returns its id. */
export async function storeAlert(
  rows: RowStore,
  { orgId, service, at, profileId }: NewAlert,
  change: Partial<Insertable<Database["alerts"]>> = {},
): Promise<string> {
  const id = randomUUID();
  const times = { openedAt: at, baselineFrom: at, baselineTo: at, currentFrom: at, currentTo: at };
  const values = { previousValue: 1, currentValue: 2, increase: 1, functions: "[]", reference: "{}" };
  const profile = { type: "cpu", sampleType: "cpu/nanoseconds", profileId };
  const alert = { id, orgId, incidentId: id, circumstances: null, service, beganAt: null, resolvedAt: null };
  await rows
    .insertInto("alerts")
    .values({ ...alert, ...profile, ...times, ...values, ...change })
    .execute();
  return id;
}
