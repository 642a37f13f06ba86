/** A store cannot answer now (restarting, unreachable, disk full); the same call may work later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The store's process runs but does not respond; the watchdog restarts it if that lasts. */
export class StoreNotResponding extends StoreUnavailable {}

/** All queries that run now need more memory together than the store may use. */
export class StoreOutOfMemory extends StoreUnavailable {}

/** A store refuses writes because its disk is full. Reads still work. */
export class StoreFull extends StoreUnavailable {}

/** Another process holds the lock of a store's file, such as a backup or an SQL shell with an open transaction. */
export class StoreLocked extends StoreUnavailable {}

/** A query exceeded a limit: time, memory or size of the result. The same query fails again. */
export class QueryTooExpensive extends Error {
  override readonly name = "QueryTooExpensive";
}

/** Stored bytes are not what was written: the same read fails again until an operator restores them. */
export class StoreDamaged extends Error {
  override readonly name = "StoreDamaged";
  readonly damage: { readonly table: string; readonly part: string };

  constructor(message: string, damage: StoreDamaged["damage"], cause: unknown) {
    super(message, { cause });
    this.damage = damage;
  }
}

/** The store must not be opened in its present state; the message says in one sentence how to correct that. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
