import type { AuditedEvent } from "#audit/audit-log.ts";
import type { Context, UserActor } from "#context";
import type { RowStore } from "#store/row/row-store.ts";

/** The keys of an organization to revoke: one, or all that a person created. */
type KeySelection = { readonly id: string } | { readonly createdBy: string };

export interface RevokedKey {
  readonly id: string;
  readonly publicId: string;
  readonly name: string;
}

/** Revokes keys of the organization that are not revoked yet, and returns those. Call `announceRevoked` after the transaction. */
export function revokeKeys(
  rows: RowStore,
  { orgId, now }: { readonly orgId: string; readonly now: Date },
  selection: KeySelection,
): Promise<RevokedKey[]> {
  const revocation = rows
    .updateTable("apiKeys")
    .set({ isActive: 0, updatedAt: now.toISOString() })
    .where("orgId", "=", orgId)
    .where("isActive", "=", 1);
  const selected =
    "id" in selection
      ? revocation.where("id", "=", selection.id)
      : revocation.where("createdBy", "=", selection.createdBy);
  return selected.returning(["id", "publicId", "name"]).execute();
}

/** Makes the revocation effective in this process at once, and records it. */
export async function announceRevoked(
  ctx: Context,
  { orgId, userId }: UserActor,
  keys: readonly RevokedKey[],
): Promise<void> {
  for (const { id, publicId } of keys) {
    ctx.keys.forget(publicId);
    ctx.log.info({ keyId: id, orgId, userId }, "API key revoked");
  }
  const event = (target: string): AuditedEvent => ({
    event: "key.revoked",
    actor: { kind: "user", id: userId },
    target,
  });
  await Promise.all(keys.map(({ name }) => ctx.audit.record(orgId, event(name))));
}
