import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";

interface NewestProfileProps {
  readonly alert: Alert;
  /** The text before the id. */
  readonly label: string;
}

/** Link to the newest profile that the alert compared. */
export function NewestProfile({ alert: { profile_id: id }, label }: NewestProfileProps) {
  return (
    <span className="block truncate text-label text-muted">
      {label}{" "}
      <Link
        to="/profile/$profileId"
        params={{ profileId: id }}
        title={id}
        className="font-mono hover:text-accent-text hover:underline"
      >
        {id.slice(0, 8)}
      </Link>
    </span>
  );
}
