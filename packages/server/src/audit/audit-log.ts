import { randomBytes } from "node:crypto";
import type { AuditEvent } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Insertable } from "kysely";
import type { StoreLog } from "#store/log.ts";
import { LruCache } from "#store/lru.ts";
import { prepared } from "#store/row/prepared.ts";
import { acrossOrganizations, type Database, type RowStore } from "#store/row/row-store.ts";
import type { Step } from "#store/row/steps.ts";
import { currentOrigin, type RequestOrigin } from "./request-origin.ts";

export interface AuditedEvent {
  readonly event: AuditEvent;
  readonly outcome?: "success" | "failure";
  readonly actor: { readonly kind: "user" | "key"; readonly id: string };
  readonly target?: string | null;
}

/** The id of a user, or how to find it after the reply; undefined for an address without an account. */
type AuditedPerson = string | (() => Promise<string | undefined>);

/** At most one entry per subject in this interval. */
const throttledMs = 5 * minuteMs;
const targetLengthMax = 300;
const subjectsMax = 10_000;
/**
 * Delays the write until the reply was sent: SQLite runs one statement at a time, so an audit write before the reply would make replies
 * slower for addresses that have an account.
 */
const afterReplyMs = 20;

type Entry = Insertable<Database["auditEntries"]>;

const insertEntry = prepared((rows, values: Entry) => {
  const { id, orgId, at, event, outcome, actorKind, actorId, target, address, userAgent, requestId } = values;
  const actor = { actorKind, actorId };
  const origin = { address, userAgent, requestId };
  return rows
    .insertInto("auditEntries")
    .values({ id, orgId, at, event, outcome, target, ...actor, ...origin });
});

/** Adds entries to the audit log. A failed write ends in the server's log, with the entry, and never fails the request. */
export class AuditLog {
  readonly #rows: RowStore;
  readonly #log: StoreLog;
  readonly #now: () => Date;
  readonly #writing = new Set<Promise<void>>();
  readonly #recordedAtMs = new LruCache<number>(subjectsMax);
  #count = 0;

  constructor(rows: RowStore, log: StoreLog, now: () => Date) {
    this.#rows = rows;
    this.#log = log;
    this.#now = now;
  }

  async record(orgId: string, audited: AuditedEvent, origin = currentOrigin()): Promise<void> {
    await this.#insert([orgId], audited, origin);
  }

  /** Records an event in the transaction that causes it: both are stored, or neither. */
  step(orgId: string, audited: AuditedEvent, origin = currentOrigin()): Step {
    return { statement: insertEntry(this.#rows, this.#entry(orgId, audited, origin)) };
  }

  /**
   * Records an event of a person in all of their organizations, after the reply: the time that a reply takes must not show whether an
   * account exists.
   */
  recordInAllOrganizations(person: AuditedPerson, audited: Omit<AuditedEvent, "actor">): void {
    const origin = currentOrigin();
    this.#afterReply(async () => {
      const id = typeof person === "string" ? person : await person();
      if (id === undefined) return;
      const memberships = acrossOrganizations(this.#rows).selectFrom("memberships").select("orgId");
      const found = await memberships.where("userId", "=", id).execute();
      const orgIds = found.map(({ orgId }) => orgId);
      await this.#insert(orgIds, { ...audited, actor: { kind: "user", id } }, origin);
    });
  }

  /** As `recordInAllOrganizations`, but once in five minutes per subject, for what anybody can cause without a limit. */
  recordThrottled(subject: string, person: AuditedPerson, audited: Omit<AuditedEvent, "actor">): void {
    const nowMs = this.#now().getTime();
    if (nowMs - (this.#recordedAtMs.get(subject) ?? Number.NEGATIVE_INFINITY) < throttledMs) return;
    this.#recordedAtMs.set(subject, nowMs, 1);
    this.recordInAllOrganizations(person, audited);
  }

  /** Resolves when all events so far are written. */
  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.idle();
  }

  #afterReply(write: () => Promise<void>): void {
    const writing = new Promise<void>((resolve) => {
      setTimeout(
        () =>
          void write()
            .catch((err) => this.#failed(err, {}))
            .finally(resolve),
        afterReplyMs,
      );
    });
    this.#writing.add(writing);
    void writing.then(() => this.#writing.delete(writing));
  }

  async #insert(orgIds: readonly string[], audited: AuditedEvent, origin: RequestOrigin | undefined) {
    if (orgIds.length === 0) return;
    const entries = orgIds.map((orgId) => this.#entry(orgId, audited, origin));
    const insertion = this.#rows.insertInto("auditEntries").values(entries);
    await insertion.execute().catch((err) => this.#failed(err, { orgIds, ...audited, ...origin }));
  }

  #entry(orgId: string, audited: AuditedEvent, origin: RequestOrigin | undefined): Entry {
    const { event, outcome = "success", actor, target = null } = audited;
    const at = this.#now().toISOString();
    return {
      id: this.#nextId(at),
      orgId,
      at,
      event,
      outcome,
      actorKind: actor.kind,
      actorId: actor.id,
      target: target?.slice(0, targetLengthMax) ?? null,
      address: origin?.address ?? null,
      userAgent: origin?.userAgent ?? null,
      requestId: origin?.requestId ?? null,
    };
  }

  #nextId(at: string): string {
    this.#count = (this.#count + 1) % 1_000_000;
    return `${at}-${String(this.#count).padStart(6, "0")}-${randomBytes(4).toString("hex")}`;
  }

  #failed(err: unknown, fields: object): void {
    this.#log.error({ err, ...fields }, "an audit entry could not be stored");
  }
}
