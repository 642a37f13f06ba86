import { acrossOrganizations, changesRow, type RowStore } from "#store/row/row-store.ts";
import type { MailTokenPurpose } from "#store/row/tables/accounts.ts";

/** The purposes of tokens that choose a new password: a new password ends all of them. */
export const resetPurposes = ["reset password", "reset by operator"] as const;

interface NewMailToken {
  readonly tokenHash: string;
  readonly userId: string;
  readonly purpose: MailTokenPurpose;
  /** Earlier tokens of the user that stop working. */
  readonly replaces: readonly MailTokenPurpose[];
  readonly now: Date;
  readonly lifeMs: number;
}

export async function replaceMailToken(rows: RowStore, token: NewMailToken): Promise<void> {
  const { tokenHash, userId, purpose, replaces, now, lifeMs } = token;
  const expiresAt = new Date(now.getTime() + lifeMs).toISOString();
  await rows.transaction().execute(async (transaction) => {
    await removeMailTokens(transaction, userId, replaces);
    await transaction
      .insertInto("mailTokens")
      .values({ tokenHash, userId, purpose, createdAt: now.toISOString(), expiresAt })
      .execute();
  });
}

export async function removeMailTokens(
  rows: RowStore,
  userId: string,
  purposes: readonly MailTokenPurpose[],
): Promise<void> {
  const removal = rows.deleteFrom("mailTokens").where("userId", "=", userId);
  await removal.where("purpose", "in", purposes).execute();
}

/** The person who got a token that still works. */
export interface TokenOwner {
  readonly userId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly firstName: string;
  readonly lastName: string;
}

interface MailTokenUse {
  readonly tokenHash: string;
  readonly purposes: readonly MailTokenPurpose[];
  readonly now: Date;
}

export function mailTokenOwner(rows: RowStore, use: MailTokenUse): Promise<TokenOwner | undefined> {
  return acrossOrganizations(rows)
    .selectFrom("mailTokens")
    .innerJoin("users", "users.id", "mailTokens.userId")
    .select(["mailTokens.userId", "users.email", "users.emailKey", "users.firstName", "users.lastName"])
    .where("mailTokens.tokenHash", "=", use.tokenHash)
    .where("mailTokens.purpose", "in", use.purposes)
    .where("mailTokens.usedAt", "is", null)
    .where("mailTokens.expiresAt", ">", use.now.toISOString())
    .where("users.isActive", "=", 1)
    .executeTakeFirst();
}

/** Marks the token as used; false if it does not work. One statement, so that only one of many concurrent uses succeeds. */
export function consumeMailToken(rows: RowStore, use: MailTokenUse): Promise<boolean> {
  const at = use.now.toISOString();
  return changesRow(
    rows
      .updateTable("mailTokens")
      .set({ usedAt: at })
      .where("tokenHash", "=", use.tokenHash)
      .where("purpose", "in", use.purposes)
      .where("usedAt", "is", null)
      .where("expiresAt", ">", at),
  );
}
