// The pages that need no session. Each has its path, its view state in the URL, and its code, which is loaded when it is first opened.
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { importPage } from "#api/import-page.ts";
import { RoutingFailure } from "#layout/error-boundary.tsx";
import { readAccountSearch, readMailLinkSearch, readSharedSearch } from "./page-search.ts";
import { leaveWhenSignedIn } from "./redirects.ts";

export function page(load: () => Promise<ComponentType>) {
  return lazyRouteComponent(async () => ({ Page: await importPage(load) }), "Page");
}

export interface RouterContext {
  readonly queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ errorComponent: RoutingFailure });
export const onRoot = { getParentRoute: () => rootRoute };

function plainPage<P extends string>(path: P, load: () => Promise<ComponentType>) {
  return createRoute({ ...onRoot, path, component: page(load) });
}

export const publicPages = [
  plainPage("/", async () => (await import("./features/landing/page.tsx")).LandingPage),
  createRoute({
    ...onRoot,
    path: "/login",
    validateSearch: readAccountSearch,
    beforeLoad: leaveWhenSignedIn,
    component: page(async () => (await import("./features/accounts/login-page.tsx")).LoginPage),
  }),
  createRoute({
    ...onRoot,
    path: "/register",
    validateSearch: readAccountSearch,
    beforeLoad: leaveWhenSignedIn,
    component: page(async () => (await import("./features/accounts/register-page.tsx")).RegisterPage),
  }),
  createRoute({
    ...onRoot,
    path: "/forgot-password",
    validateSearch: readAccountSearch,
    component: page(
      async () => (await import("./features/accounts/forgot-password-page.tsx")).ForgotPasswordPage,
    ),
  }),
  createRoute({
    ...onRoot,
    path: "/reset-password",
    validateSearch: readMailLinkSearch,
    component: page(
      async () => (await import("./features/accounts/reset-password-page.tsx")).ResetPasswordPage,
    ),
  }),
  plainPage(
    "/single-sign-on",
    async () => (await import("./features/accounts/single-sign-on-page.tsx")).SingleSignOnPage,
  ),
  createRoute({
    ...onRoot,
    path: "/verify-email",
    validateSearch: readMailLinkSearch,
    component: page(async () => (await import("./features/accounts/verify-email-page.tsx")).VerifyEmailPage),
  }),
  createRoute({
    ...onRoot,
    path: "/invite/$token",
    validateSearch: readAccountSearch,
    component: page(async () => (await import("./features/accounts/invite-page.tsx")).InvitePage),
  }),
  plainPage("/second-factor", async () => (await import("./features/settings/page.tsx")).SecondFactorPage),
  plainPage("/open", async () => (await import("./features/open/page.tsx")).OpenPage),
  createRoute({
    ...onRoot,
    path: "/shared/$token",
    validateSearch: readSharedSearch,
    component: page(async () => (await import("./features/shared/page.tsx")).SharedPage),
  }),
] as const;
