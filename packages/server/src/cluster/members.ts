import { networkInterfaces } from "node:os";
import type { Heartbeat, Member } from "./heartbeats.ts";

interface Other {
  member: Member;
  seenAt: string;
  /** When this process read another heartbeat before, or could read none. */
  sinceMs: number;
  /** It was asked to count as a member, and may not have written yet that it has joined. */
  welcomedUntilMs: number;
  /** Whether it counts as an owner of services. */
  isMember: boolean;
}

/** Parts of the time after which a member is dead: how long others count one that they agreed to, and how long it may rely on that. */
const [welcomePart, agreementPart] = [4, 2];

/**
 * The members that this process takes for alive. A member is dead once this process has read the same heartbeat of it for `deadMs`, by the
 * clock of this process: neither clocks of other machines nor a database that was away for all make a member dead.
 */
export class Members {
  readonly self: Member;
  readonly #deadMs: number;
  readonly #others = new Map<string, Other>();
  /** The last heartbeats of members that counted as dead or gone, and when: their rows may stay for a while. */
  readonly #ended = new Map<string, Pick<Other, "seenAt" | "sinceMs">>();
  /** Until when members that cannot reach the database must not count as dead, because this process said so. */
  readonly #promisedUntil = new Map<string, number>();

  constructor(self: Member, deadMs: number) {
    this.self = self;
    this.#deadMs = deadMs;
  }

  get others(): readonly Member[] {
    return [...this.#others.values()].filter(({ isMember }) => isMember).map(({ member }) => member);
  }

  get agreementMs(): number {
    return agreementPart * this.#deadMs;
  }

  /** The others and this one. */
  get all(): readonly [Member, ...Member[]] {
    return [this.self, ...this.others];
  }

  /** Equal for equal sets of members. */
  get key(): string {
    return this.all
      .map(({ id }) => id)
      .sort()
      .join();
  }

  has(id: string): boolean {
    return id === this.self.id || this.#others.has(id);
  }

  /** Counts one that joins, until its row has to say that it has joined. */
  add(member: Member, nowMs: number): void {
    const other = this.#others.get(member.id) ?? { member, seenAt: "", sinceMs: nowMs };
    const welcomedUntilMs = nowMs + welcomePart * this.#deadMs;
    this.#others.set(member.id, { ...other, isMember: true, welcomedUntilMs });
  }

  remove(id: string, nowMs = performance.now()): void {
    const { seenAt = "" } = this.#others.get(id) ?? {};
    if (seenAt !== "") this.#ended.set(id, { seenAt, sinceMs: nowMs });
    this.#others.delete(id);
    this.#promisedUntil.delete(id);
  }

  /** The member must not count as dead for a while. */
  promise(id: string, nowMs: number): void {
    this.#promisedUntil.set(id, nowMs + this.#deadMs);
  }

  /** To be called while the database is away: nobody can write heartbeats. */
  noteOutage(nowMs: number): void {
    for (const other of this.#others.values()) other.sinceMs = nowMs;
  }

  /**
   * Takes over what was read.
   *
   * @returns members whose rows are to be removed
   */
  update(heartbeats: readonly Heartbeat[], nowMs: number): readonly Heartbeat[] {
    const read = new Set(heartbeats.map(({ id }) => id));
    for (const [id, { seenAt, sinceMs }] of this.#others) {
      // The row of one that just called may not have been read yet.
      const isUnread = seenAt === "" && nowMs - sinceMs < this.#deadMs;
      if (!read.has(id) && !isUnread) this.remove(id, nowMs);
    }
    for (const [id, { sinceMs }] of this.#ended)
      if (!read.has(id) || nowMs - sinceMs >= this.#deadMs) this.#ended.delete(id);
    const others = heartbeats.filter(
      ({ id, seenAt }) => id !== this.self.id && this.#ended.get(id)?.seenAt !== seenAt,
    );
    // Its port is this process's now.
    const isReplaced = (other: Member) =>
      other.address === this.self.address && areOnOneMachine(other, this.self);
    for (const heartbeat of others) if (!isReplaced(heartbeat)) this.#note(heartbeat, nowMs);
    const dead = others.filter((other) => isReplaced(other) || this.#isSilent(other.id, nowMs));
    for (const { id } of dead) this.remove(id, nowMs);
    return dead;
  }

  #note({ seenAt, isJoined, ...member }: Heartbeat, nowMs: number): void {
    const { id } = member;
    const other = this.#others.get(id);
    const welcomedUntilMs = other?.welcomedUntilMs ?? nowMs;
    const isMember = isJoined || nowMs < welcomedUntilMs;
    const isSame = other?.seenAt === seenAt;
    const read = { member, seenAt, welcomedUntilMs, isMember };
    this.#others.set(id, { ...read, sinceMs: isSame ? other.sinceMs : nowMs });
  }

  #isSilent(id: string, nowMs: number): boolean {
    const promisedMs = (this.#promisedUntil.get(id) ?? 0) - this.#deadMs;
    return nowMs - Math.max(this.#others.get(id)?.sinceMs ?? nowMs, promisedMs) >= this.#deadMs;
  }
}

/**
 * Whether an address of this machine refused a connection: then the process that had it is gone. A refusal of another machine may come from
 * a firewall.
 */
export function isGone(member: Member, self: Member, error: unknown): boolean {
  if ((error as NodeJS.ErrnoException | undefined)?.code !== "ECONNREFUSED") return false;
  const { hostname } = new URL(`http://${member.address}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
  return areOnOneMachine(member, self) && addresses.some(({ address }) => address === host);
}

/** Ids begin with the name of the machine: an address such as 127.0.0.1 means something else on each. */
function areOnOneMachine(a: Member, b: Member): boolean {
  return machineOf(a) === machineOf(b);
}

function machineOf({ id }: Member): string {
  return id.slice(0, id.lastIndexOf("-"));
}
