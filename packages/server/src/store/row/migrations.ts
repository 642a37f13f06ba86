import type { Migration, MigrationProvider } from "kysely/migration";
import * as accounts from "./migrations/0001-accounts.ts";

/** Forward only, one file per feature, in the order of their numbers. */
const migrations: Record<string, Migration> = {
  "0001-accounts": accounts,
};

export const rowMigrations: MigrationProvider = {
  getMigrations: () => Promise.resolve(migrations),
};
