import { StoreUnavailable } from "#store/unavailable.ts";
import type { Member } from "./heartbeats.ts";
import type { Members } from "./members.ts";

/** The part of ingestion when members change. */
export interface MemberHooks {
  /** Forgets what it remembers of services: they may have had another owner meanwhile. */
  readonly forget: () => void;
  /** Ends what this member does as owner: afterwards the rows of all that it took are stored, or it renewed its term. */
  readonly handOver: () => Promise<void>;
  /** Whether that would last, because a deletion or an insert is under way. */
  readonly isOccupied: () => boolean;
}

export const idleHooks: MemberHooks = {
  forget: () => undefined,
  handOver: async () => undefined,
  isOccupied: () => false,
};

/** Hands over to members that join, to several at a time. */
export class HandOvers {
  readonly #members: Members;
  /** The members that the running hand-over is for: they have counted since it began. */
  readonly #ids = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(members: Members) {
    this.#members = members;
  }

  /** Others would send uploads to a new member, which takes none before the hand-over has ended. */
  requireUnoccupied({ isOccupied }: MemberHooks): void {
    if (isOccupied())
      throw new StoreUnavailable("Another server deletes profiles, or waits for the column store.");
  }

  /** Counts the member and hands over to it. It may ask again before it has an answer. */
  async handOverTo(member: Member, hooks: MemberHooks, noteChange: () => void): Promise<void> {
    while (this.#running !== undefined) {
      if (!this.#ids.has(member.id)) await this.#running.catch(() => undefined);
      else {
        this.#members.add(member, performance.now());
        return this.#running;
      }
    }
    this.requireUnoccupied(hooks);
    this.#members.add(member, performance.now());
    noteChange();
    for (const { id } of this.#members.others) this.#ids.add(id);
    this.#running = hooks.handOver().finally(() => {
      this.#running = undefined;
      this.#ids.clear();
    });
    return this.#running;
  }

  /** One that comes back has to be handed over to again. */
  noteMembers(): void {
    const present = new Set(this.#members.others.map(({ id }) => id));
    for (const id of this.#ids) if (!present.has(id)) this.#ids.delete(id);
  }
}
