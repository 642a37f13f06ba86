import { networkInterfaces } from "node:os";
import type { Heartbeat, Member } from "./heartbeats.ts";

interface Other {
  member: Member;
  seenAt: string;
  /** When this process read another heartbeat before, or could read none. */
  sinceMs: number;
}

/**
 * The members that this process takes for alive. A member is dead once this process has read the same heartbeat of it for `deadMs`, by the
 * clock of this process: neither clocks of other machines nor a database that was away for all make a member dead.
 */
export class Members {
  readonly self: Member;
  readonly #deadMs: number;
  readonly #others = new Map<string, Other>();
  /** Until when members that cannot reach the database must not count as dead, because this process said so. */
  readonly #promisedUntil = new Map<string, number>();

  constructor(self: Member, deadMs: number) {
    this.self = self;
    this.#deadMs = deadMs;
  }

  get others(): readonly Member[] {
    return [...this.#others.values()].map(({ member }) => member);
  }

  /** The others and this one. */
  get all(): readonly [Member, ...Member[]] {
    return [this.self, ...this.others];
  }

  has(id: string): boolean {
    return id === this.self.id || this.#others.has(id);
  }

  /** A member that calls is alive. */
  add(member: Member, nowMs: number): void {
    if (!this.has(member.id)) this.#others.set(member.id, { member, seenAt: "", sinceMs: nowMs });
  }

  remove(id: string): void {
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
      if (!read.has(id) && !isUnread) this.remove(id);
    }
    return heartbeats.filter((heartbeat) => this.#isDead(heartbeat, nowMs));
  }

  #isDead({ seenAt, ...member }: Heartbeat, nowMs: number): boolean {
    const { id } = member;
    if (id === this.self.id) return false;
    // Its port is this process's now.
    if (member.address === this.self.address && areOnOneMachine(member, this.self)) {
      this.remove(id);
      return true;
    }
    const other = this.#others.get(id);
    if (other === undefined || other.seenAt !== seenAt) {
      this.#others.set(id, { member, seenAt, sinceMs: nowMs });
      return false;
    }
    const silentMs = nowMs - Math.max(other.sinceMs, (this.#promisedUntil.get(id) ?? 0) - this.#deadMs);
    if (silentMs < this.#deadMs) return false;
    this.remove(id);
    return true;
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
