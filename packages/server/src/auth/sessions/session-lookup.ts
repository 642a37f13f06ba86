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

/** Finds active sessions. Answers from a cache that is at most ten seconds old. */
export interface SessionLookup {
  /** Undefined if the session has ended, or its user or organization is no longer active. */
  find(sessionId: string): Promise<Session | undefined>;
  /** Call it when a session ends, so that the end takes effect at once in this process. */
  forget(sessionId: string): void;
  /** Call it when several sessions of a user end. */
  forgetUser(userId: string): void;
  /** Call it when a rule of an organization changes for all of its sessions. */
  forgetOrganization(orgId: string): void;
}

const freshMs = 10_000;
const entriesMax = 10_000;

export function openSessionLookup(rows: RowStore, now: () => Date): SessionLookup {
  const entries = new Map<string, { readonly session: Session; readonly readAt: number }>();
  let forgotten = 0;
  return {
    async find(sessionId) {
      const at = now();
      const cached = entries.get(sessionId);
      if (cached !== undefined && at.getTime() - cached.readAt < freshMs) return cached.session;
      entries.delete(sessionId);
      const forgottenBefore = forgotten;
      const session = await activeSession(rows, sessionId, at);
      if (session === undefined) return undefined;
      // A session may have ended while it was read.
      if (forgotten !== forgottenBefore) return session;
      if (entries.size >= entriesMax) entries.clear();
      entries.set(sessionId, { session, readAt: at.getTime() });
      return session;
    },
    forget(sessionId) {
      forgotten++;
      entries.delete(sessionId);
    },
    forgetUser(userId) {
      forgotten++;
      for (const [id, { session }] of entries) if (session.userId === userId) entries.delete(id);
    },
    forgetOrganization(orgId) {
      forgotten++;
      for (const [id, { session }] of entries) if (session.orgId === orgId) entries.delete(id);
    },
  };
}

async function activeSession(rows: RowStore, sessionId: string, at: Date): Promise<Session | undefined> {
  const row = await acrossOrganizations(rows)
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.userId")
    .innerJoin("organizations", "organizations.id", "sessions.orgId")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.orgId", "=", "sessions.orgId")
        .onRef("memberships.userId", "=", "sessions.userId"),
    )
    .leftJoin("operators", "operators.userId", "sessions.userId")
    .select(["sessions.orgId", "sessions.userId", "memberships.role", "operators.slot"])
    .select(lacksSecondFactor)
    .where("sessions.id", "=", sessionId)
    .where("sessions.endedAt", "is", null)
    .where("sessions.expiresAt", ">", at.toISOString())
    .where("users.isActive", "=", 1)
    .where("organizations.suspendedAt", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { slot, lacksSecondFactor: lacks, ...session } = row;
  return { ...session, isOperator: slot !== null, lacksSecondFactor: Boolean(lacks) };
}
