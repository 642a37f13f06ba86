import { displayTypes, limits, profileTypes, timeRanges } from "@flamekeep/contract";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { z } from "zod";
import { importPage } from "./api/import-page.ts";
import { RoutingFailure } from "./layout/error-boundary.tsx";
import { currentSession } from "./session/session.ts";
import { FullPageSpinner } from "./ui/content/spinner.tsx";

const rootRoute = createRootRoute({
  errorComponent: RoutingFailure,
});

function optional<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

const rangeSearch = { range: optional(z.enum(timeRanges)) };
const tableSearch = {
  ...rangeSearch,
  q: optional(z.string().max(200)),
  size: optional(z.literal([5, 10, 25, 50])),
  page: optional(z.int().min(2)),
  after: optional(z.string().regex(/^[\w-]{1,300}$/)),
};
const ProfilesSearch = z.object({
  ...tableSearch,
  view: optional(z.enum(["services", "profiles"])),
  type: optional(z.enum(displayTypes)),
});
const ServiceSearch = z.object(tableSearch);
// What stands beside the sample type belongs to the flame graph's own link codec, which reads it with fallbacks.
const ProfileSearch = z.looseObject({
  sample_type: optional(z.string().max(200)),
  zoom: z.unknown().optional(),
  focus: z.unknown().optional(),
  q: z.unknown().optional(),
  scheme: z.unknown().optional(),
  pane: z.unknown().optional(),
  legend: z.unknown().optional(),
});
const SettingsSearch = z.object({ tab: optional(z.enum(["api-keys", "account"])) });
const ProjectsSearch = z.object({ q: tableSearch.q });
const AlertsSearch = z.object({
  service: optional(z.string().min(1).max(limits.serviceNameLengthMax)),
  type: optional(z.enum([...profileTypes, "resolved"])),
});
const DashboardSearch = z.object(rangeSearch);

const landingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  component: lazyRouteComponent(() => importPage(() => import("./features/landing/page.tsx")), "LandingPage"),
});

/** What stands before sign-in is not for those who are signed in. Who looks at the demo can still make an account. */
function leaveWhenSignedIn() {
  const session = currentSession();
  if (session.status === "authenticated" && !session.isDemo)
    throw redirect({ to: "/dashboard", replace: true });
}

function requireSession() {
  if (currentSession().status !== "authenticated") throw redirect({ to: "/login", replace: true });
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  beforeLoad: leaveWhenSignedIn,
  component: lazyRouteComponent(
    () => importPage(() => import("./features/accounts/login-page.tsx")),
    "LoginPage",
  ),
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/register",
  beforeLoad: leaveWhenSignedIn,
  component: lazyRouteComponent(
    () => importPage(() => import("./features/accounts/register-page.tsx")),
    "RegisterPage",
  ),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/forgot-password",
  component: lazyRouteComponent(
    () => importPage(() => import("./features/accounts/forgot-password-page.tsx")),
    "ForgotPasswordPage",
  ),
});

const protectedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "protected",
  beforeLoad: requireSession,
  component: lazyRouteComponent(
    () => importPage(() => import("./layout/protected-layout.tsx")),
    "ProtectedLayout",
  ),
});

const dashboardRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/dashboard",
  validateSearch: (raw) => DashboardSearch.parse(raw),
  component: lazyRouteComponent(
    () => importPage(() => import("./features/dashboard/page.tsx")),
    "DashboardPage",
  ),
});

const profilesRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/profiles",
  validateSearch: (raw) => ProfilesSearch.parse(raw),
  component: lazyRouteComponent(
    () => importPage(() => import("./features/profiles/page.tsx")),
    "ProfilesPage",
  ),
});

// The profile page's breadcrumb leads here; the type is a filter of the table.
const profilesOfTypeRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/profiles/$type",
  beforeLoad: ({ params }) => {
    const { type } = ProfilesSearch.parse({ type: params.type.toLowerCase() });
    throw redirect({ to: "/profiles", search: { view: "profiles", ...(type && { type }) }, replace: true });
  },
});

const serviceRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/profiles/service/$serviceName",
  validateSearch: (raw) => ServiceSearch.parse(raw),
  component: lazyRouteComponent(() => importPage(() => import("./features/service/page.tsx")), "ServicePage"),
});

const serviceTypeRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/profiles/service/$serviceName/$type",
  validateSearch: (raw) => ServiceSearch.parse(raw),
  component: lazyRouteComponent(() => importPage(() => import("./features/service/page.tsx")), "ServicePage"),
});

const withoutServiceRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/profiles/service",
  beforeLoad: () => {
    throw redirect({ to: "/profiles", replace: true });
  },
});

const profileRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/profile/$profileId",
  validateSearch: (raw) => ProfileSearch.parse(raw),
  component: lazyRouteComponent(() => importPage(() => import("./features/profile/page.tsx")), "ProfilePage"),
});

const typePages = (["/cpu-profiles", "/memory-profiles", "/goroutine-profiles"] as const).map((path) =>
  createRoute({
    getParentRoute: () => protectedRoute,
    path,
    validateSearch: (raw) => ServiceSearch.parse(raw),
    component: lazyRouteComponent(
      () => importPage(() => import("./features/profiles/type-page.tsx")),
      "TypePage",
    ),
  }),
);

const alertsRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/alerts",
  validateSearch: (raw) => AlertsSearch.parse(raw),
  component: lazyRouteComponent(() => importPage(() => import("./features/alerts/page.tsx")), "AlertsPage"),
});

const projectsRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/projects",
  validateSearch: (raw) => ProjectsSearch.parse(raw),
  component: lazyRouteComponent(
    () => importPage(() => import("./features/projects/page.tsx")),
    "ProjectsPage",
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: "/settings",
  validateSearch: (raw) => SettingsSearch.parse(raw),
  component: lazyRouteComponent(
    () => importPage(() => import("./features/settings/page.tsx")),
    "SettingsPage",
  ),
});

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "$",
  beforeLoad: () => {
    throw redirect({ to: "/", replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  landingRoute,
  loginRoute,
  registerRoute,
  forgotPasswordRoute,
  unknownRoute,
  protectedRoute.addChildren([
    dashboardRoute,
    profilesRoute,
    profilesOfTypeRoute,
    withoutServiceRoute,
    serviceRoute,
    serviceTypeRoute,
    profileRoute,
    ...typePages,
    alertsRoute,
    projectsRoute,
    settingsRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingComponent: FullPageSpinner,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
