import { Outlet, useLocation } from "@tanstack/react-router";
import { Suspense } from "react";
import { useSession } from "#session/session.ts";
import { FullPageSpinner, Spinner } from "#ui/content/spinner.tsx";
import { AddressNotice } from "./address/address-notice.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Shell } from "./shell.tsx";

/** Layout of the pages that need a session. The route checks the session; the spinner shows during sign-out. */
export function ProtectedLayout() {
  const session = useSession();
  const { pathname } = useLocation();
  if (session.status !== "authenticated") return <FullPageSpinner />;
  return (
    <Shell user={session.user} isDemo={session.isDemo}>
      <AddressNotice />
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<Spinner label="Loading" />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
