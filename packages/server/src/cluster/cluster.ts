import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { SigningKeys } from "#auth/tokens/access-token.ts";
import type { Log } from "#context";
import { JobLog } from "#store/job-log.ts";
import type { Database } from "#store/row/row-store.ts";
import { Caller } from "./call.ts";
import { HandOvers, idleHooks, type MemberHooks } from "./hand-overs.ts";
import { beat, type Member, removeMember, within } from "./heartbeats.ts";
import { type Operation, portOf } from "./listen.ts";
import { isAborted, MemberCalls } from "./member-calls.ts";
import { Members } from "./members.ts";
import { type Message, NotOwner, Unreached } from "./message.ts";
import { type OwnedScope, ownerAmong } from "./owner.ts";

interface Parts {
  readonly rows: Kysely<Database>;
  readonly keys: SigningKeys;
  readonly log: Log;
  readonly version: string;
  readonly deadMs: number;
}

interface Listening {
  readonly id: string;
  readonly host: string;
  readonly server: Server;
  readonly operations: Map<string, Operation>;
}

/** Parts of `deadMs`: the pause between heartbeats, the lease, and what must be left of it for an insert. */
const [beatPart, leasePart, marginPart] = [0.2, 0.8, 0.3];
/** Parts of `deadMs`: after the first the database counts as away, after the second a heartbeat is given up. */
const [awayPart, writePart] = [0.1, 0.4];
const gatherPauseMs = 100;

/**
 * The server processes that share PostgreSQL and ClickHouse. Each service has one owner among them, which alone compares, counts and
 * removes its uploads. Decision 36 explains leases, terms and what happens while PostgreSQL is away.
 */
export class Cluster {
  readonly calls: MemberCalls;
  readonly #parts: Parts;
  readonly #operations: Map<string, Operation>;
  readonly #members: Members;
  readonly #server: Server;
  readonly #jobLog: JobLog;
  readonly #handOvers: HandOvers;
  readonly #joinLog: JobLog;
  /** Ends heartbeats. */
  readonly #stopped = new AbortController();
  #hooks = idleHooks;
  #state: "joining" | "joined" | "leaving" = "joining";
  /** Whether the next heartbeat says that this member has joined. */
  #isAgreed = false;
  /** Whether the latest heartbeat said so. */
  #isAnnounced = false;
  #term = 1;
  #leaseUntilMs = Number.NEGATIVE_INFINITY;
  #isDatabaseAway = false;
  #gathering: Promise<void> | undefined;
  #beating: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  #signingOff: Promise<void> | undefined;
  #change = Promise.withResolvers<void>();

  constructor(parts: Parts, { id, host, server, operations }: Listening) {
    const address = host.includes(":") ? `[${host}]:${portOf(server)}` : `${host}:${portOf(server)}`;
    this.#parts = parts;
    this.#server = server;
    this.#operations = operations;
    this.#members = new Members({ id, address, version: parts.version }, parts.deadMs);
    this.#handOvers = new HandOvers(this.#members);
    this.calls = new MemberCalls(new Caller(id, parts.keys), this.#members, {
      ...parts,
      noteGone: (member) => this.#noteGone(member),
      change: (msMax) => this.change(msMax),
    });
    this.#jobLog = new JobLog(parts.log, "the heartbeat of this server");
    this.#joinLog = new JobLog(parts.log, "joining the other servers");
    this.answer("ping", async () => undefined);
    this.answer("check", async ({ head }) => ({ head: await this.#check(head as Member) }));
    this.answer("hello", async ({ head }) => {
      await this.#handOvers.handOverTo(head as Member, this.#hooks, () => this.#noteChange());
      return undefined;
    });
    this.answer("refresh", async () => void (await this.#beat()));
    this.answer("promise", async ({ head }) => ({ head: this.#promise(head as Member) }));
  }

  get self(): Member {
    return this.#members.self;
  }

  get others(): readonly Member[] {
    return this.#members.others;
  }

  /** Ends with the lease: what was compared in an earlier term must not be stored. */
  get term(): number {
    return this.#term;
  }

  /** Whether rows that were made in this term may be stored, with time left for an insert. */
  isCurrent(term: number): boolean {
    const marginMs = marginPart * this.#parts.deadMs;
    return term === this.#term && performance.now() < this.#leaseUntilMs - marginMs;
  }

  /** Whether this member may take uploads of the services that it owns. */
  get isOwner(): boolean {
    return this.#state === "joined" && performance.now() < this.#leaseUntilMs;
  }

  /** Begins a new term: uploads whose rows are not stored are taken again, by their present owners. */
  renewTerm(): void {
    this.#term++;
  }

  /** Adds an operation that others can call. */
  answer(name: string, operation: (message: Required<Message>) => Promise<Message | undefined>): void {
    this.answerUnread(name, async ({ read }) => operation(await read()));
  }

  /** Adds an operation that reserves memory for the body before it reads it. */
  answerUnread(name: string, operation: Operation): void {
    this.#operations.set(name, operation);
  }

  ownerOf(scope: OwnedScope): Member {
    const { all, others } = this.#members;
    const [first, ...rest] = this.#state === "joined" ? all : others;
    return ownerAmong([first ?? this.self, ...rest], scope);
  }

  /** Throws NotOwner unless this member owns the scope and holds its lease. */
  requireOwned(scope: OwnedScope): void {
    if (!this.isOwner || this.ownerOf(scope).id !== this.self.id) throw new NotOwner();
  }

  /** Begins to send heartbeats. Resolves once the first one is written: the others are asked meanwhile. */
  async join(hooks: MemberHooks): Promise<void> {
    this.#hooks = hooks;
    await this.#beat();
    void this.#keepBeating();
  }

  /** Hands over to the others, if there are any. A single one goes on until it closes. */
  async leave(): Promise<void> {
    if (this.others.length === 0) return;
    this.#state = "leaving";
    await this.#hooks.handOver();
    await this.#signOff();
  }

  /** To be called when nothing is left to store. */
  async close(): Promise<void> {
    await this.#signOff();
    this.calls.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#parts.rows.destroy();
  }

  #signOff(): Promise<void> {
    this.#signingOff ??= this.#signOffOnce();
    return this.#signingOff;
  }

  async #signOffOnce(): Promise<void> {
    this.#stopped.abort();
    await this.#beating;
    // A heartbeat that ends later would add the row again.
    await this.#writing?.catch(() => undefined);
    const { rows, log, deadMs } = this.#parts;
    await within(writePart * deadMs, removeMember(rows, this.self.id)).catch((error: unknown) =>
      log.warn({ err: error }, "this server could not sign off from the others, which notice it in a moment"),
    );
    await Promise.allSettled(this.others.map((to) => this.calls.call(to, "refresh", { head: null })));
  }

  /** Resolves when the members or the state of this one change, at the latest after `msMax`. */
  async change(msMax: number): Promise<void> {
    await Promise.race([this.#change.promise, sleep(msMax, undefined, { ref: false })]);
  }

  async #keepBeating(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(beatPart * this.#parts.deadMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (!signal.aborted) await this.#beat();
    }
  }

  /** None after this member has signed off: it would add the row again. */
  async #beat(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    this.#beating ??= this.#beatOnce().finally(() => {
      this.#beating = undefined;
    });
    await this.#beating;
  }

  /** A database that hangs must not cost the lease, so promises are asked for while a heartbeat is still being written. */
  async #beatOnce(): Promise<void> {
    const { deadMs } = this.#parts;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    try {
      await within(awayPart * deadMs, this.#writing);
    } catch (error) {
      this.#isDatabaseAway = true;
      this.#members.noteOutage(performance.now());
      this.#jobLog.failed(error);
      await this.#askForPromises();
    }
    if (this.#state === "joining") this.#gathering ??= this.#gather();
  }

  async #write(): Promise<void> {
    const { rows, log, deadMs } = this.#parts;
    const startMs = performance.now();
    const isAgreed = this.#isAgreed;
    const { isNew, heartbeats } = await within(writePart * deadMs, beat(rows, this.self, isAgreed));
    const nowMs = performance.now();
    this.#isAnnounced = isAgreed;
    // Others may have taken this one for dead.
    if (isNew || nowMs >= this.#leaseUntilMs) this.#lapse();
    this.#extendLease(startMs);
    this.#isDatabaseAway = false;
    const before = this.#members.key;
    const dead = this.#members.update(heartbeats, nowMs);
    if (this.#members.key !== before) this.#noteChange();
    for (const { id, address, seenAt } of dead) {
      log.warn({ id, address }, "another server sends no heartbeat: its services have other owners");
      // Not awaited: the row of a member that hangs may be locked.
      removeMember(rows, id, seenAt).catch((error: unknown) => this.#jobLog.failed(error));
    }
    this.#jobLog.succeeded();
  }

  #extendLease(startMs: number): void {
    this.#leaseUntilMs = Math.max(this.#leaseUntilMs, startMs + leasePart * this.#parts.deadMs);
  }

  /** While nobody can write heartbeats, the members stay as they are, as long as all of them agree. */
  async #askForPromises(): Promise<void> {
    const startMs = performance.now();
    if (this.#state !== "joined" || startMs >= this.#leaseUntilMs) return;
    const asked = this.others.map(
      async (to) => (await this.calls.call(to, "promise", { head: this.self })).head,
    );
    const promises = await within(this.#parts.deadMs * beatPart, Promise.all(asked)).catch(() => [false]);
    if (promises.every((each) => each === true) && performance.now() < this.#leaseUntilMs)
      this.#extendLease(startMs);
  }

  #promise({ id }: Member): boolean {
    if (!this.#isDatabaseAway || !this.#members.has(id)) return false;
    this.#members.promise(id, performance.now());
    return true;
  }

  /** Until the others know this member, they take uploads that it owns. */
  #lapse(): void {
    this.#term++;
    this.#isAgreed = false;
    this.#isAnnounced = false;
    if (this.#state === "joined") {
      this.#state = "joining";
      this.#parts.log.warn(
        { id: this.self.id },
        "this server sent no heartbeat for too long and joins the others again",
      );
    }
    this.#noteChange();
  }

  /** Asks every other member to hand over what this one owns. Each has done so, or is gone, before this one takes uploads. */
  async #gather(): Promise<void> {
    let term = this.#term;
    const agreed = new Map<string, number>();
    while (!this.#stopped.signal.aborted && this.#state === "joining") {
      if (term !== this.#term) agreed.clear();
      term = this.#term;
      const sinceMs = performance.now() - this.#members.agreementMs;
      const open = this.others.filter(({ id }) => !((agreed.get(id) ?? sinceMs) > sinceMs));
      if (open.length > 0) await this.#askToJoin(open, agreed);
      else if (!this.#isAnnounced) await this.#announce();
      else if (performance.now() < this.#leaseUntilMs) this.#state = "joined";
      if (this.#state === "joining") await this.change(gatherPauseMs);
    }
    this.#gathering = undefined;
    if (this.#state !== "joined") return;
    this.#joinLog.succeeded();
    const ids = this.#members.all.map(({ id }) => id);
    this.#parts.log.info(
      { id: this.self.id, members: ids },
      "this server takes uploads of the services it owns",
    );
    this.#noteChange();
  }

  /** Nobody counts this member before all have reached it, and it has reached all. */
  async #askToJoin(others: readonly Member[], agreed: Map<string, number>): Promise<void> {
    const [head, term] = [this.self, this.#term];
    try {
      const checked = others.map(async (to) => {
        const { head: problem } = await this.calls.call(to, "check", { head });
        if (problem === null) return;
        const error = new Unreached(`it cannot reach this server at ${head.address}`, { cause: problem });
        this.calls.noteUnreached(to, error);
        throw error;
      });
      await Promise.all(checked);
      const asked = others.map(async (to) => {
        const startMs = performance.now();
        await this.calls.call(to, "hello", { head });
        // Other members may have removed this one since.
        if (term === this.#term) agreed.set(to.id, startMs);
      });
      await Promise.all(asked);
    } catch (error) {
      if (!(error instanceof Unreached) && !isAborted(error)) this.#joinLog.failed(error);
    }
  }

  /** Two that join at once may not know each other: the later one to write reads the other's row, and asks it. */
  async #announce(): Promise<void> {
    this.#isAgreed = true;
    await this.#beating;
    await this.#writing?.catch(() => undefined);
    await this.#beat();
  }

  /** Why this member cannot call the other one; null if it can. */
  async #check(member: Member): Promise<string | null> {
    const problem = await this.calls.reachProblem(member);
    if (problem === null) this.#handOvers.requireUnoccupied(this.#hooks);
    return problem;
  }

  #noteGone({ id, address }: Member): void {
    if (!this.#members.has(id)) return;
    this.#members.remove(id);
    this.#parts.log.warn({ id, address }, "another server is gone");
    this.#noteChange();
    // Not awaited: an upload whose call found this waits for it, and has another owner by now.
    removeMember(this.#parts.rows, id).catch((error: unknown) => this.#jobLog.failed(error));
  }

  #noteChange(): void {
    this.#handOvers.noteMembers();
    this.#hooks.forget();
    this.calls.endAbsent();
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}
