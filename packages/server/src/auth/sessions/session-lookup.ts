import type { Role } from "@flamekeep/contract";
import type { RowStore } from "#store/row/row-store.ts";

interface Session {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
}

/** Finds living sessions, as of at most ten seconds ago. */
export interface SessionLookup {
  /** Undefined when the session was ended or its person may no longer enter. */
  find(sessionId: string): Promise<Session | undefined>;
  /** To be called when a session ends, so that it acts at once in this process. */
  forget(sessionId: string): void;
}

const freshMs = 10_000;
const entriesMax = 10_000;

export function openSessionLookup(rows: RowStore, now: () => Date): SessionLookup {
  const entries = new Map<string, { readonly session: Session; readonly readAt: number }>();
  return {
    async find(sessionId) {
      const at = now();
      const known = entries.get(sessionId);
      if (known !== undefined && at.getTime() - known.readAt < freshMs) return known.session;
      entries.delete(sessionId);
      const session = await livingSession(rows, sessionId, at);
      if (session === undefined) return undefined;
      if (entries.size >= entriesMax) entries.clear();
      entries.set(sessionId, { session, readAt: at.getTime() });
      return session;
    },
    forget(sessionId) {
      entries.delete(sessionId);
    },
  };
}

function livingSession(rows: RowStore, sessionId: string, at: Date): Promise<Session | undefined> {
  return rows
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.userId")
    .innerJoin("organizations", "organizations.id", "sessions.orgId")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.orgId", "=", "sessions.orgId")
        .onRef("memberships.userId", "=", "sessions.userId"),
    )
    .select(["sessions.orgId", "sessions.userId", "memberships.role"])
    .where("sessions.id", "=", sessionId)
    .where("sessions.endedAt", "is", null)
    .where("sessions.expiresAt", ">", at.toISOString())
    .where("users.isActive", "=", 1)
    .where("organizations.suspendedAt", "is", null)
    .executeTakeFirst();
}
