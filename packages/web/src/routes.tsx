// Every page of the app in one table (those without a session are in `public-pages.tsx`): its path, its view state in the URL, its title, its place in the navigation, and its
// code, which is loaded when the page is first opened. Header, sidebar and the server's list of pages are derived from it.
import { type AnyRoute, type AnyRouter, createRoute, createRouter, redirect } from "@tanstack/react-router";
import {
  Bell,
  ChartNoAxesGantt,
  FolderKanban,
  LayoutDashboard,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  RadioTower,
  Settings,
} from "lucide-react";
import { currentSession } from "#session/session.ts";
import { keepTimeRange } from "#time-range/search.ts";
import { routerBasePath } from "#url/base-path.ts";
import { loadAhead } from "./features/service/load-ahead.ts";
import {
  readAlertsSearch,
  readCompareSearch,
  readCompareServicesSearch,
  readDashboardSearch,
  readFindingsSearch,
  readProfileSearch,
  readProfilesSearch,
  readProjectSearch,
  readProjectsSearch,
  readRangeSearch,
  readRouteSearch,
  readSendersSearch,
  readServiceSearch,
  readServiceTabSearch,
  readSettingsSearch,
  readTableSearch,
} from "./page-search.ts";
import { onRoot, page, publicPages, rootRoute } from "./public-pages.tsx";
import { leaveForRoute } from "./redirects.ts";
import { StartingPage } from "./start/starting-page.tsx";

/** Links to the page keep the time range. */
const timeRange = { middlewares: [keepTimeRange] };

/** Sends strangers to sign in, and back here afterwards; from addresses without a page to the landing page. */
function requireSession({ location }: { readonly location: { pathname: string; href: string } }): void {
  if (currentSession().status === "authenticated") return;
  const [, , page] = (router as AnyRouter).getMatchedRoutes(location.pathname);
  if (page?.fullPath === "/$") throw redirect({ to: "/", replace: true });
  const search = location.href === "/dashboard" ? {} : { return_to: location.href };
  throw redirect({ to: "/login", search, replace: true });
}

const protectedRoute = createRoute({
  ...onRoot,
  id: "protected",
  beforeLoad: requireSession,
  component: page(async () => (await import("#layout/protected-layout.tsx")).ProtectedLayout),
});
const onProtected = { getParentRoute: () => protectedRoute };

/** Not when a pointer only passes over a link, nor when a choice on the page changes its URL. */
function openService(opened: Parameters<typeof loadAhead>[0] & { readonly cause: string }): void {
  if (opened.cause === "enter") loadAhead(opened);
}

const servicePage = {
  validateSearch: readServiceSearch,
  search: timeRange,
  beforeLoad: openService,
  component: page(async () => (await import("./features/service/page.tsx")).ServicePage),
  staticData: { section: "/profiles" },
};

/** An entry of the sidebar. */
function item(group: "Profiling" | "Management", label: string, description: string, icon: LucideIcon) {
  return { group, label, description, icon };
}

type TabPage = "HttpTabPage" | "AlertsTabPage" | "AnalysisTabPage";

/** A tab of a service that is not about one type of profiles. */
function serviceTab<T extends "http" | "alerts" | "analysis">(tab: T, component: TabPage) {
  return createRoute({
    ...onProtected,
    path: `/profiles/service/$serviceName/${tab}`,
    validateSearch: readServiceTabSearch,
    search: timeRange,
    component: page(async () => (await import("./features/project/tabs.tsx"))[component]),
    staticData: { section: "/profiles" },
  });
}

function typePage<P extends string>(path: P, title: string, subtitle: string) {
  return createRoute({
    ...onProtected,
    path,
    validateSearch: readTableSearch,
    search: timeRange,
    component: page(async () => (await import("./features/profiles/type-page.tsx")).TypePage),
    staticData: { title, subtitle, section: "/profiles" },
  });
}

// The order of the entries is the order of the navigation.
const protectedPages = [
  createRoute({
    ...onProtected,
    path: "/dashboard",
    validateSearch: readRangeSearch,
    search: timeRange,
    component: page(async () => (await import("./features/dashboard/page.tsx")).DashboardPage),
    staticData: {
      title: "Dashboard",
      subtitle: "Performance overview and insights",
      navigation: item("Profiling", "Dashboard", "Overview and analytics", LayoutDashboard),
    },
  }),
  createRoute({
    ...onProtected,
    path: "/profiles",
    validateSearch: readProfilesSearch,
    search: timeRange,
    component: page(async () => (await import("./features/profiles/page.tsx")).ProfilesPage),
    staticData: {
      title: "All Profiles",
      subtitle: "Comprehensive profiling data",
      navigation: item("Profiling", "Profiles", "View all performance profiles", ChartNoAxesGantt),
    },
  }),
  // The breadcrumb of a profile links here; the type is a filter of the table.
  createRoute({
    ...onProtected,
    path: "/profiles/$type",
    beforeLoad: ({ params }) => {
      const { type } = readProfilesSearch({ type: params.type.toLowerCase() });
      throw redirect({ to: "/profiles", search: { view: "profiles", ...(type && { type }) }, replace: true });
    },
  }),
  createRoute({
    ...onProtected,
    path: "/profiles/service",
    beforeLoad: () => {
      throw redirect({ to: "/profiles", replace: true });
    },
  }),
  createRoute({ ...onProtected, ...servicePage, path: "/profiles/service/$serviceName" }),
  createRoute({ ...onProtected, ...servicePage, path: "/profiles/service/$serviceName/$type" }),
  serviceTab("http", "HttpTabPage"),
  serviceTab("alerts", "AlertsTabPage"),
  serviceTab("analysis", "AnalysisTabPage"),
  createRoute({
    ...onProtected,
    path: "/profile/$profileId",
    validateSearch: readProfileSearch,
    component: page(async () => (await import("./features/profile/page.tsx")).ProfilePage),
    staticData: { section: "/profiles" },
  }),
  createRoute({
    ...onProtected,
    path: "/compare",
    validateSearch: readCompareSearch,
    component: page(async () => (await import("./features/compare/page.tsx")).ComparePage),
    staticData: {
      title: "Compare",
      subtitle: "What changed between two ranges, versions or profiles",
      section: "/profiles",
    },
  }),
  createRoute({
    ...onProtected,
    path: "/compare/services",
    validateSearch: readCompareServicesSearch,
    search: timeRange,
    component: page(async () => (await import("./features/compare-services/page.tsx")).CompareServicesPage),
    staticData: {
      title: "Compare Services",
      subtitle: "Cores, memory, requests and functions side by side",
      section: "/profiles",
    },
  }),
  typePage("/cpu-profiles", "CPU Profiles", "CPU performance analysis"),
  typePage("/memory-profiles", "Memory Profiles", "Memory usage patterns"),
  typePage("/goroutine-profiles", "Goroutine Profiles", "Concurrency and goroutine insights"),
  createRoute({
    ...onProtected,
    path: "/alerts",
    validateSearch: readAlertsSearch,
    component: page(async () => (await import("./features/alerts/page.tsx")).AlertsPage),
    staticData: {
      title: "Alerts",
      subtitle: "Performance alerts and notifications",
      navigation: item("Management", "Alerts", "Performance alerts", Bell),
    },
  }),
  createRoute({
    ...onProtected,
    path: "/findings",
    validateSearch: readFindingsSearch,
    component: page(async () => (await import("./features/findings/page.tsx")).FindingsPage),
    staticData: {
      title: "Findings",
      subtitle: "What services could save, who does it, and whether it helped",
      navigation: item("Management", "Findings", "Advice, owners and effects", ListChecks),
    },
  }),
  createRoute({
    ...onProtected,
    path: "/projects",
    validateSearch: readProjectsSearch,
    component: page(async () => (await import("./features/projects/page.tsx")).ProjectsPage),
    staticData: {
      title: "Projects",
      subtitle: "Manage your profiling projects",
      navigation: item("Management", "Projects", "Manage projects", FolderKanban),
    },
  }),
  createRoute({
    ...onProtected,
    path: "/projects/$projectId",
    validateSearch: readProjectSearch,
    search: timeRange,
    beforeLoad: leaveForRoute,
    component: page(async () => (await import("./features/project/page.tsx")).ProjectPage),
    staticData: { section: "/projects" },
  }),
  createRoute({
    ...onProtected,
    path: "/dashboards",
    component: page(async () => (await import("./features/dashboards/page.tsx")).DashboardsPage),
    staticData: {
      title: "Dashboards",
      subtitle: "Panels of your choice, shared by link",
      navigation: item("Management", "Dashboards", "Panels of your choice", LayoutGrid),
    },
  }),
  createRoute({
    ...onProtected,
    path: "/dashboards/$dashboardId",
    validateSearch: readDashboardSearch,
    component: page(async () => (await import("./features/dashboards/dashboard-page.tsx")).DashboardGridPage),
    staticData: { section: "/dashboards" },
  }),
  createRoute({
    ...onProtected,
    path: "/senders",
    validateSearch: readSendersSearch,
    component: page(async () => (await import("./features/senders/page.tsx")).SendersPage),
    staticData: {
      title: "Senders",
      subtitle: "Uploads by service, gaps and rejected requests",
      navigation: item("Management", "Senders", "Active and silent services", RadioTower),
    },
  }),
  createRoute({
    ...onProtected,
    path: "/projects/$projectId/route",
    validateSearch: readRouteSearch,
    search: timeRange,
    component: page(async () => (await import("./features/project/route/page.tsx")).RoutePage),
    staticData: { section: "/profiles" },
  }),
  createRoute({
    ...onProtected,
    path: "/settings",
    validateSearch: readSettingsSearch,
    component: page(async () => (await import("./features/settings/page.tsx")).SettingsPage),
    staticData: {
      title: "Settings",
      subtitle: "Application preferences and configuration",
      navigation: item("Management", "Settings", "Application settings", Settings),
    },
  }),
  createRoute({
    ...onProtected,
    path: "/operator",
    component: page(async () => (await import("./features/operator/page.tsx")).OperatorPage),
    staticData: { title: "Operator", subtitle: "Organizations, usage, limits and health of this server" },
  }),
  createRoute({
    ...onProtected,
    path: "$",
    component: page(async () => (await import("./features/unknown-page/page.tsx")).UnknownPage),
    staticData: { title: "Page not found", subtitle: "There is nothing at this address" },
  }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren([...publicPages, protectedRoute.addChildren([...protectedPages])]),
  basepath: routerBasePath,
  defaultPreload: "intent",
  defaultPendingComponent: StartingPage,
  scrollRestoration: true,
  // Given where the router is rendered: this table is also read where there is no browser.
  context: { queryClient: undefined as never },
});

/** Paths with parameters in braces, for the server, and titles, for tests. */
export const pages = Object.values<AnyRoute>(router.routesByPath)
  .filter(({ fullPath }) => fullPath !== "/$")
  .map(({ fullPath, options }) => ({
    path: fullPath.replace(/\$(\w+)/g, "{$1}"),
    title: options.staticData?.title,
  }));

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
