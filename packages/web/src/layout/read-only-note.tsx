import { Link } from "@tanstack/react-router";
import { useIsSignUpOpen } from "#api/query-client.ts";
import { useIsDemo } from "#session/session.ts";
import { cx } from "#ui/cx.ts";

/** Replaces buttons that change data for people with read access only. Says why, and how to get more access. */
export function ReadOnlyNote({ className }: { readonly className?: string }) {
  const isDemo = useIsDemo();
  const isSignUpOpen = useIsSignUpOpen();
  return (
    <p className={cx("text-label text-muted", className)}>
      {isDemo ? (
        <>
          The demo is read-only.{" "}
          {isSignUpOpen && (
            <Link to="/register" className="font-medium text-accent-text hover:underline">
              Create an account
            </Link>
          )}
        </>
      ) : (
        "You have read-only access. Ask an admin of your organization for more."
      )}
    </p>
  );
}
