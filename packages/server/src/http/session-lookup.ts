import type { Role } from "@flamekeep/contract";

export interface Session {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
}

/** Finds living sessions; see `openSessionLookup`. */
export interface SessionLookup {
  /** Undefined when the session was ended or its person may no longer enter. */
  find(sessionId: string): Promise<Session | undefined>;
  /** To be called when a session ends, so that it acts at once in this process. */
  forget(sessionId: string): void;
}
