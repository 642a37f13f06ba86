import type { KeyLookup } from "#auth/keys/key-lookup.ts";
import type { SessionLookup } from "#auth/sessions/session-lookup.ts";
import type { SharedChanges } from "#store/row/shared-changes.ts";

/** A look-up that announces what it forgets to other processes, and forgets everything after a change there. */
export function shareKeys(lookup: KeyLookup, changes: SharedChanges): KeyLookup {
  changes.on("keys", () => lookup.forgetAll());
  return {
    ...lookup,
    forget(publicId) {
      lookup.forget(publicId);
      changes.note("keys");
    },
    forgetOrganization(orgId) {
      lookup.forgetOrganization(orgId);
      changes.note("keys");
    },
  };
}

/** As `shareKeys`. */
export function shareSessions(lookup: SessionLookup, changes: SharedChanges): SessionLookup {
  changes.on("sessions", () => lookup.forgetAll());
  return {
    ...lookup,
    forget(sessionId) {
      lookup.forget(sessionId);
      changes.note("sessions");
    },
    forgetUser(userId) {
      lookup.forgetUser(userId);
      changes.note("sessions");
    },
    forgetOrganization(orgId) {
      lookup.forgetOrganization(orgId);
      changes.note("sessions");
    },
  };
}
