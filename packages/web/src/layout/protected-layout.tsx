import { Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { Suspense, useLayoutEffect } from "react";
import { rememberReturn } from "#session/return-after-sign-on.ts";
import { useSession } from "#session/session.ts";
import { FullPageSpinner, Spinner } from "#ui/content/spinner.tsx";
import { AddressNotice } from "./address/address-notice.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Shell } from "./shell.tsx";

/** Layout of the pages that need a session. The route checks the session; the spinner shows during sign-out. */
export function ProtectedLayout() {
  const session = useSession();
  const { pathname, href } = useLocation();
  if (session.status !== "authenticated") return <FullPageSpinner />;
  if (session.user.needs_second_factor) {
    // The location changes before the page of the other address replaces this one.
    if (pathname === "/second-factor") return <FullPageSpinner />;
    return <LeaveForSecondFactor from={href} />;
  }
  return (
    // Another tab may sign in as somebody else: forms and dialogs of the previous person must not stay open.
    <Shell key={session.user.id} user={session.user} isDemo={session.isDemo}>
      <AddressNotice />
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<Spinner label="Loading" />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}

/** Leads to the page that sets up a second factor, which leads back to this address. */
function LeaveForSecondFactor({ from }: { readonly from: string }) {
  useLayoutEffect(() => rememberReturn({ path: from }), [from]);
  return <Navigate to="/second-factor" replace />;
}
