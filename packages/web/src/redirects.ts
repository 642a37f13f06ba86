import { redirect } from "@tanstack/react-router";
import { currentSession } from "#session/session.ts";
import { fromBase } from "#url/base-path.ts";
import type { SearchOf } from "#url/search.ts";
import type { accountSearch, readProjectSearch } from "./page-search.ts";

/** Sends signed-in people on from the sign-in pages. Visitors of the demo may still create an account. */
export function leaveWhenSignedIn({ search }: { readonly search: SearchOf<typeof accountSearch> }): void {
  const session = currentSession();
  if (session.status === "authenticated" && !session.isDemo)
    throw redirect({ href: fromBase(search.return_to ?? "/dashboard"), replace: true });
}

/** Requests of a path were a dialog of the project's page. */
export function leaveForRoute({
  params,
  search: { path, requests, range, from, to },
}: {
  readonly params: { readonly projectId: string };
  readonly search: ReturnType<typeof readProjectSearch>;
}): void {
  if (path === undefined) return;
  const search = { path, requests, range, from, to };
  throw redirect({ to: "/projects/$projectId/route", params, search, replace: true });
}
