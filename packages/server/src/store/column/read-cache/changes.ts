import type { SeriesHour } from "#store/column/write/doubtful-hours.ts";

/** Rows of an organization, or of one of its services; without limits of any time. */
export interface ReadScope {
  readonly orgId: string;
  /** Undefined for all services. */
  readonly service?: string;
  /** The first hour, as Unix seconds. */
  readonly firstHour?: number;
  /** The last hour. */
  readonly lastHour?: number;
}

export function isHourIn(
  { orgId, service, firstHour = 0, lastHour = Number.MAX_SAFE_INTEGER }: ReadScope,
  hour: SeriesHour,
): boolean {
  return (
    hour.orgId === orgId &&
    (service === undefined || hour.service === service) &&
    hour.hourSeconds >= firstHour &&
    hour.hourSeconds <= lastHour
  );
}

type WrittenHours = readonly SeriesHour[] | "everything";

/** The number of the last change of each hour. */
type ChangedHours = Map<number, number>;

/** About 100 bytes each. More are forgotten, so that everything counts as changed. */
const hoursMax = 100_000;

/**
 * Shows whether rows may have changed since they were read, by organization, service and hour. Only the process that
 * writes the rows can know.
 *
 * All changes are numbered. The version of a scope is the number of the last change in it, so that equal versions mean
 * equal rows. While rows of a scope are being written, reads may or may not find them: then it has no version.
 */
export class Changes {
  #latest = 0;
  /** The last change that may concern any row. */
  #everything = 0;
  #hours = 0;
  readonly #organizations = new Map<string, ChangedHours>();
  readonly #services = new Map<string, ChangedHours>();
  readonly #writes = new Set<{ readonly hours: WrittenHours }>();
  readonly #restarts: () => number;
  #restartsSeen: number;

  /** @param restarts of the engine: rows of an insert that one interrupted may be gone */
  constructor(restarts: () => number = () => 0) {
    this.#restarts = restarts;
    this.#restartsSeen = restarts();
  }

  /** Runs a write that changes rows of these hours, even if it fails. */
  async during<T>(hours: WrittenHours, write: () => Promise<T>): Promise<T> {
    const running = { hours };
    this.#writes.add(running);
    try {
      return await write();
    } finally {
      this.#writes.delete(running);
      if (hours === "everything") this.recordAll();
      else this.#record(hours);
    }
  }

  /** Any rows may have changed. */
  recordAll(): void {
    this.#everything = ++this.#latest;
    this.#organizations.clear();
    this.#services.clear();
    this.#hours = 0;
  }

  /** Undefined while rows of the scope are being written. */
  versionOf(scope: ReadScope): number | undefined {
    if (this.#isWriting(scope)) return undefined;
    if (this.#restartsSeen !== this.#restarts()) {
      this.#restartsSeen = this.#restarts();
      this.recordAll();
    }
    const { orgId, service, firstHour = 0, lastHour = Number.MAX_SAFE_INTEGER } = scope;
    const changed =
      service === undefined ? this.#organizations.get(orgId) : this.#services.get(serviceKey(orgId, service));
    let version = this.#everything;
    for (const [hour, change] of changed ?? []) {
      if (hour >= firstHour && hour <= lastHour && change > version) version = change;
    }
    return version;
  }

  #isWriting(scope: ReadScope): boolean {
    for (const { hours } of this.#writes) {
      if (hours === "everything" || hours.some((hour) => isHourIn(scope, hour))) return true;
    }
    return false;
  }

  #record(hours: readonly SeriesHour[]): void {
    const change = ++this.#latest;
    for (const { orgId, service, hourSeconds } of hours) {
      this.#set(this.#organizations, orgId, hourSeconds, change);
      this.#set(this.#services, serviceKey(orgId, service), hourSeconds, change);
    }
    if (this.#hours > hoursMax) this.recordAll();
  }

  #set(all: Map<string, ChangedHours>, key: string, hour: number, change: number): void {
    let changed = all.get(key);
    if (changed === undefined) {
      changed = new Map();
      all.set(key, changed);
    }
    if (!changed.has(hour)) this.#hours++;
    changed.set(hour, change);
  }
}

function serviceKey(orgId: string, service: string): string {
  return `${orgId} ${service}`;
}
