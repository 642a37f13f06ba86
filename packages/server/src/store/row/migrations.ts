import type { Migration, MigrationProvider } from "kysely/migration";
import * as accounts from "./migrations/0001-accounts.ts";
import * as projects from "./migrations/0003-projects.ts";

/** Forward only, one file per feature, in the order of their numbers. */
const migrations: Record<string, Migration> = {
  "0001-accounts": accounts,
  "0003-projects": projects,
};

export const rowMigrations: MigrationProvider = {
  getMigrations: () => Promise.resolve(migrations),
};
