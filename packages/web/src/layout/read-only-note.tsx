import { Link } from "@tanstack/react-router";
import { useSession } from "#session/session.ts";
import { cx } from "#ui/cx.ts";

/** Stands where a button would that changes something, for those who may only read: why, and what they can do. */
export function ReadOnlyNote({ className }: { readonly className?: string }) {
  const session = useSession();
  const isDemo = session.status === "authenticated" && session.isDemo;
  return (
    <p className={cx("text-label text-muted", className)}>
      {isDemo ? (
        <>
          The demo is read-only.{" "}
          <Link to="/register" className="font-medium text-accent-text hover:underline">
            Create an account
          </Link>
        </>
      ) : (
        "You may read here. An admin of your organization can let you change things."
      )}
    </p>
  );
}
