import type { OwnLimits } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { readOwnLimits } from "#store/row/organization-limits.ts";

/** The organization that an upload is for, with its limits. */
export interface Sender {
  readonly orgId: string;
  /** Absent for people and for uploads of the server. */
  readonly keyId?: string;
  /** Days that the organization keeps; null: as many as the server. */
  readonly orgRetentionDays: number | null;
  /** Limits that the operator set for the organization. Undefined: no limit of an organization holds for uploads of the server. */
  readonly ownLimits: OwnLimits | undefined;
}

/** A key was looked up with the limits of its organization; those of a person are read. */
export async function senderOf({ rows }: Pick<Context, "rows">, actor: Actor): Promise<Sender> {
  const { orgId } = actor;
  if (actor.kind === "key") {
    const { keyId, orgRetentionDays, ownLimits } = actor;
    return { orgId, keyId, orgRetentionDays, ownLimits };
  }
  const [{ retentionDays }, ownLimits] = await Promise.all([
    rows
      .selectFrom("organizations")
      .select("retentionDays")
      .where("id", "=", orgId)
      .executeTakeFirstOrThrow(),
    readOwnLimits(rows, orgId),
  ]);
  return { orgId, orgRetentionDays: retentionDays, ownLimits };
}

/** The sender alone, without its upload. */
export function senderIn({ orgId, keyId, orgRetentionDays, ownLimits }: Sender): Sender {
  return { orgId, orgRetentionDays, ownLimits, ...(keyId !== undefined && { keyId }) };
}
