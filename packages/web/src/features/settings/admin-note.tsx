import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";

/** Replaces buttons that only admins have. */
export function AdminNote() {
  // Members change other things, so the general note would mislead them.
  if (!useMayChange()) return <ReadOnlyNote />;
  return <p className="text-label text-muted">Only admins can change this.</p>;
}
