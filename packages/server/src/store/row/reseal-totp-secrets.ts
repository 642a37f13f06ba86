import type { StoreLog } from "#store/log.ts";
import type { RowStore } from "./row-store.ts";
import type { Seal, SealedPlace } from "./seal.ts";

export function totpPlace(userId: string): SealedPlace {
  return { userId, field: "totp" };
}

/** At start, after a change of the secret: encrypts with the current key what a former one encrypted. */
export async function resealTotpSecrets(rows: RowStore, seal: Seal, log: StoreLog): Promise<void> {
  const stored = await rows.selectFrom("totpSecrets").select(["userId", "secret"]).execute();
  let resealed = 0;
  let unreadable = 0;
  for (const { userId, secret } of stored) {
    const opened = seal.open(secret, totpPlace(userId));
    if (!opened.ok) unreadable++;
    if (!opened.ok || !seal.isOutdated(secret)) continue;
    const { numUpdatedRows } = await rows
      .updateTable("totpSecrets")
      .set({ secret: seal.seal(opened.text, totpPlace(userId)) })
      .where("userId", "=", userId)
      // Another server may be doing the same, or the person set up another app.
      .where("secret", "=", secret)
      .executeTakeFirstOrThrow();
    resealed += Number(numUpdatedRows);
  }
  if (resealed > 0) log.info({ resealed }, "secrets of authenticator apps encrypted with the current key");
  if (unreadable > 0) log.warn({ people: unreadable }, cannotRead);
}

const cannotRead =
  "Secrets of authenticator apps cannot be decrypted: AUTH_SECRET has changed since they were saved. Set the old one, or name it in AUTH_SECRET_PREVIOUS. Until then these people sign in with a recovery code.";
