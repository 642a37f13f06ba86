import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { RowRemover } from "#store/column/maintenance/row-remover.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import type { ServiceRemoval } from "#store/row/service-removals.ts";

export interface RemovedAgain {
  /** Services that were deleted while the store was aside, and are now removed from it too. */
  readonly removedServices: number;
  /** Services with profiles from before and from after their deletion. They are not changed. */
  readonly mixedServices: readonly string[];
}

/** Removes a service from the store that was moved aside if it was deleted after its last profile arrived there. */
export async function removeDeleted(
  aside: ColumnClient,
  removals: readonly ServiceRemoval[],
  openPayloads: () => Promise<PayloadStore>,
): Promise<RemovedAgain> {
  const mixedServices: string[] = [];
  let removedServices = 0;
  let payloads: PayloadStore | undefined;
  try {
    for (const { orgId, service, at } of removals) {
      const [{ before = 0, after = 0 } = {}] = await aside.query(profilesAround, { orgId, service, at });
      if (before === 0) continue;
      if (after > 0) {
        mixedServices.push(service);
        continue;
      }
      payloads ??= await openPayloads();
      // Payloads first, because only the rows refer to them.
      const ids = await aside.query(profilesOf, { orgId, service });
      await payloads.remove(
        orgId,
        ids.map(({ profileId }) => profileId),
      );
      await new RowRemover(aside, undefined).removeService({ orgId, service });
      removedServices++;
    }
  } finally {
    await payloads?.[Symbol.asyncDispose]();
  }
  return { removedServices, mixedServices };
}

const Service = z.object({ orgId: z.uuid(), service: z.string() });

const profilesAround = maintenanceQuery({
  name: "restore.profiles-around-removal",
  sql: `SELECT countIf(received_at <= {at:DateTime64(3, 'UTC')}) AS before, countIf(received_at > {at:DateTime64(3, 'UTC')}) AS after
        FROM profiles WHERE org_id = {orgId:UUID} AND service = {service:String}`,
  params: Service.extend({ at: z.date() }),
  row: z.object({ before: Count, after: Count }),
});

const profilesOf = maintenanceQuery({
  name: "restore.profiles-of-service",
  sql: "SELECT profile_id AS profileId FROM profiles WHERE org_id = {orgId:UUID} AND service = {service:String}",
  params: Service,
  row: z.object({ profileId: z.string() }),
});
