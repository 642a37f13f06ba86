import type { ExpressionBuilder } from "kysely";
import type { Database } from "#store/row/row-store.ts";

/** Columns for a query of users. Truthy, not true: SQLite has no booleans. */
export interface FactorFlags {
  readonly hasTotp: unknown;
  readonly hasPasskey: unknown;
  readonly hasRecoveryCode: unknown;
}

/** Columns that say which second factors an account has. In the query of the account, because every sign-in needs them. */
export function factorFlags(eb: ExpressionBuilder<Database, "users">) {
  const recoveryCode = eb
    .selectFrom("recoveryCodes")
    .select("recoveryCodes.userId")
    .whereRef("recoveryCodes.userId", "=", "users.id")
    .where("usedAt", "is", null);
  return [
    hasTotp(eb).as("hasTotp"),
    hasPasskey(eb).as("hasPasskey"),
    eb.exists(recoveryCode).as("hasRecoveryCode"),
  ];
}

/** A column: whether the organization requires a second factor that the account does not have. Truthy, not true. */
export function lacksSecondFactor(eb: ExpressionBuilder<Database, "users" | "organizations">) {
  const isRequired = eb("organizations.requiresSecondFactor", "=", 1);
  return eb.and([isRequired, lacksFactor(eb)]).as("lacksSecondFactor");
}

export function lacksFactor(eb: ExpressionBuilder<Database, "users">) {
  return eb.and([eb.not(hasTotp(eb)), eb.not(hasPasskey(eb))]);
}

function hasTotp({ exists, selectFrom }: ExpressionBuilder<Database, "users">) {
  return exists(
    selectFrom("totpSecrets")
      .select("totpSecrets.userId")
      .whereRef("totpSecrets.userId", "=", "users.id")
      .where("confirmedAt", "is not", null),
  );
}

function hasPasskey({ exists, selectFrom }: ExpressionBuilder<Database, "users">) {
  return exists(
    selectFrom("passkeys").select("passkeys.userId").whereRef("passkeys.userId", "=", "users.id"),
  );
}
