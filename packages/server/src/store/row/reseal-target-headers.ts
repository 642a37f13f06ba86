import type { StoreLog } from "#store/log.ts";
import { acrossOrganizations, type RowStore } from "./row-store.ts";
import type { Seal, SealedPlace } from "./seal.ts";

/** Encrypted values by the name of the header. */
export type SealedHeaders = Readonly<Record<string, string>>;

export function headerPlace(orgId: string, targetId: string, name: string): SealedPlace {
  return { orgId, field: `target ${targetId} header ${name.toLowerCase()}` };
}

/** At start, after a change of the secret: encrypts with the current key what a former one encrypted. */
export async function resealTargetHeaders(rows: RowStore, seal: Seal, log: StoreLog): Promise<void> {
  const stored = await acrossOrganizations(rows)
    .selectFrom("targets")
    .select(["orgId", "id", "headers"])
    .where("headers", "!=", "{}")
    .execute();
  let resealed = 0;
  let unreadable = 0;
  for (const { orgId, id, headers } of stored) {
    const sealed = Object.entries(JSON.parse(headers) as SealedHeaders);
    const opened = sealed.map(([name, text]) => seal.open(text, headerPlace(orgId, id, name)));
    if (opened.some(({ ok }) => !ok)) unreadable++;
    if (!sealed.some(([, text]) => seal.isOutdated(text))) continue;
    const changed = sealed.map(([name, text], at) => {
      const value = opened[at]!;
      return [name, value.ok ? seal.seal(value.text, headerPlace(orgId, id, name)) : text];
    });
    const { numUpdatedRows } = await rows
      .updateTable("targets")
      .set({ headers: JSON.stringify(Object.fromEntries(changed)) })
      .where("orgId", "=", orgId)
      .where("id", "=", id)
      // Another server may be doing the same, or somebody saved the target.
      .where("headers", "=", headers)
      .executeTakeFirstOrThrow();
    resealed += Number(numUpdatedRows);
  }
  if (resealed > 0) log.info({ resealed }, "headers of targets encrypted with the current key");
  if (unreadable > 0) log.warn({ targets: unreadable }, cannotRead);
}

const cannotRead =
  "Headers of targets cannot be decrypted: AUTH_SECRET has changed since they were saved. Set the old one, or name it in AUTH_SECRET_PREVIOUS, or enter the headers again.";
