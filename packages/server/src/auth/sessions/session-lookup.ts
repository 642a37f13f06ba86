import type { Role } from "@flamekeep/contract";
import { lacksSecondFactor } from "#auth/second-factor/factor-flags.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

interface Session {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
  readonly isOperator: boolean;
  readonly lacksSecondFactor: boolean;
}

/** Finds active sessions. Answers from a cache that is at most ten seconds old, and a second after a change in another process. */
export interface SessionLookup {
  /** Undefined if the session has ended, or its user or organization is no longer active. */
  find(sessionId: string): Promise<Session | undefined>;
  /** The session as one of another organization of its user. Undefined also if the user is no member there, or it is suspended. */
  findIn(sessionId: string, orgId: string): Promise<Session | undefined>;
  /** Call it when a session ends, so that the end takes effect at once in this process. */
  forget(sessionId: string): void;
  /** Call it when several sessions of a user end. */
  forgetUser(userId: string): void;
  /** Call it when a rule of an organization changes for all of its sessions. */
  forgetOrganization(orgId: string): void;
  /** Call it when something changed in another process. */
  forgetAll(): void;
}

interface Entry {
  readonly sessionId: string;
  readonly session: Session;
  readonly readAt: number;
}

const freshMs = 10_000;
const entriesMax = 10_000;

export function openSessionLookup(rows: RowStore, now: () => Date): SessionLookup {
  const entries = new Map<string, Entry>();
  let forgotten = 0;
  async function cached(key: string, sessionId: string, read: (at: Date) => Promise<Session | undefined>) {
    const at = now();
    const entry = entries.get(key);
    if (entry !== undefined && at.getTime() - entry.readAt < freshMs) return entry.session;
    entries.delete(key);
    const forgottenBefore = forgotten;
    const session = await read(at);
    if (session === undefined) return undefined;
    // A session may have ended while it was read.
    if (forgotten !== forgottenBefore) return session;
    if (entries.size >= entriesMax) entries.clear();
    entries.set(key, { sessionId, session, readAt: at.getTime() });
    return session;
  }
  function forget(isConcerned: (entry: Entry) => boolean) {
    forgotten++;
    for (const [key, entry] of entries) if (isConcerned(entry)) entries.delete(key);
  }
  return {
    find: (sessionId) => cached(sessionId, sessionId, (at) => activeSession(rows, sessionId, at)),
    findIn: (sessionId, orgId) =>
      cached(`${sessionId} ${orgId}`, sessionId, (at) => activeSession(rows, sessionId, at, orgId)),
    forget: (sessionId) => forget((entry) => entry.sessionId === sessionId),
    forgetUser: (userId) => forget(({ session }) => session.userId === userId),
    forgetOrganization: (orgId) => forget(({ session }) => session.orgId === orgId),
    forgetAll: () => forget(() => true),
  };
}

/** @param orgId another organization of the session's user; that of the session without it */
async function activeSession(
  rows: RowStore,
  sessionId: string,
  at: Date,
  orgId?: string,
): Promise<Session | undefined> {
  const row = await acrossOrganizations(rows)
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.userId")
    .innerJoin("organizations as home", "home.id", "sessions.orgId")
    .innerJoin("memberships", (join) => {
      const ofUser = join.onRef("memberships.userId", "=", "sessions.userId");
      return orgId === undefined
        ? ofUser.onRef("memberships.orgId", "=", "sessions.orgId")
        : ofUser.on("memberships.orgId", "=", orgId);
    })
    .innerJoin("organizations", "organizations.id", "memberships.orgId")
    .leftJoin("operators", "operators.userId", "sessions.userId")
    .select(["memberships.orgId", "sessions.userId", "memberships.role", "operators.slot"])
    .select(lacksSecondFactor)
    .where("sessions.id", "=", sessionId)
    .where("sessions.endedAt", "is", null)
    .where("sessions.expiresAt", ">", at.toISOString())
    .where("users.isActive", "=", 1)
    .where("home.suspendedAt", "is", null)
    .where("organizations.suspendedAt", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { slot, lacksSecondFactor: lacks, ...session } = row;
  return { ...session, isOperator: slot !== null, lacksSecondFactor: Boolean(lacks) };
}
