import { readdirSync } from "node:fs";
import type { StoreLog } from "./log.ts";
import { StoreRefused } from "./unavailable.ts";

/**
 * Servers of two versions that follow each other work on the same stores during a rolling upgrade (decision 38), so a server goes on where
 * a newer one has migrated. The older one knows only the names of the newer migrations, hence they say all that it must know:
 *
 *     0052-v2-price-of-storage       2 is the version of the schema; without it, 1
 *     0053-v2-alone-new-identities   servers of an earlier version cannot work on this schema
 */
const migrationName = /^\d{4}-(?:v(?<version>[1-9]\d*)-)?(?<alone>alone-)?/;

const folders = ["row/migrations/", "column/migrations/"];

export function schemaVersionOf(name: string): number {
  return Number(migrationName.exec(name)?.groups?.["version"] ?? 1);
}

function needsAll(name: string): boolean {
  return migrationName.exec(name)?.groups?.["alone"] !== undefined;
}

/** The version of the schema that this program makes. A release may change one of the two stores only. */
function ownVersion(): number {
  const names = folders.flatMap((folder) => readdirSync(new URL(folder, import.meta.url)));
  return Math.max(...names.filter((name) => migrationName.test(name)).map(schemaVersionOf));
}

interface Migrations {
  /** Names of those that ran in the store. */
  readonly applied: readonly string[];
  /** Names of those that this program has. */
  readonly own: readonly string[];
}

/**
 * Whether the store has a newer schema on which this program works. Throws a StoreRefused if it does not work on it: if the schema is more
 * than one version ahead, or says so.
 *
 * @param version of the schema that this program makes
 */
export function isNewerSchema(
  store: "row store" | "column store",
  { applied, own }: Migrations,
  log: StoreLog,
  version = ownVersion(),
): boolean {
  const newer = applied.filter((name) => !own.includes(name));
  if (newer.length === 0) return false;
  const alone = newer.find(needsAll);
  if (alone !== undefined) {
    throw new StoreRefused(
      `The ${store} was changed by a newer Flamekeep, on whose schema this version cannot work (migration ${alone}). Run that version or a later one.`,
    );
  }
  const tooNew = newer.find((name) => schemaVersionOf(name) > version + 1);
  if (tooNew !== undefined) {
    throw new StoreRefused(
      `The ${store} was changed by a Flamekeep that is more than one version newer (migration ${tooNew}). Run that version, or the one before it.`,
    );
  }
  const missing = own.find((name) => !applied.includes(name));
  if (missing !== undefined) {
    throw new StoreRefused(
      `The ${store} was changed by another build of Flamekeep (migration ${newer[0]}), and lacks ${missing}. Run that build or a later one.`,
    );
  }
  log.warn(
    { migrations: newer },
    `a newer Flamekeep has changed the ${store}: upgrade this server too, before the next version`,
  );
  return true;
}
