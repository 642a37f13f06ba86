import type { AnyRoute, AnyRouter } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";

interface NavigationEntry {
  readonly group: string;
  readonly label: string;
  readonly description: string;
  readonly icon: LucideIcon;
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** Shown in the header and the browser's tab. Pages about one profile or service set theirs with `usePageTitle`. */
    readonly title?: string;
    readonly subtitle?: string;
    /** Lists the page in the sidebar. */
    readonly navigation?: NavigationEntry;
    /** Path of the sidebar's item to highlight for a page that is not listed itself. */
    readonly section?: string;
  }
}

export interface NavigationItem extends NavigationEntry {
  readonly to: string;
}

export interface NavigationGroup {
  readonly label: string;
  readonly items: readonly NavigationItem[];
}

/** The sidebar's items by group, in the order of the route table. */
export function navigationOf({ routesByPath }: AnyRouter): NavigationGroup[] {
  const items = Object.values<AnyRoute>(routesByPath).flatMap(({ fullPath, options }) => {
    const entry = options.staticData?.navigation;
    return entry === undefined ? [] : [{ ...entry, to: fullPath }];
  });
  return [...Map.groupBy(items, ({ group }) => group)].map(([label, grouped]) => ({ label, items: grouped }));
}

export interface CurrentPage {
  readonly title?: string;
  readonly subtitle?: string;
  /** Path of the highlighted item of the sidebar. */
  readonly section: string | undefined;
  /** The title of that item's page, until a page without one says where it is. */
  readonly sectionTitle: string | undefined;
}

export function pageAt(router: AnyRouter, pathname: string): CurrentPage {
  const [, , route] = router.getMatchedRoutes(pathname);
  const page = route?.options.staticData;
  const section = page?.section ?? route?.fullPath;
  const { [section ?? ""]: listed } = router.routesByPath as Readonly<Record<string, AnyRoute | undefined>>;
  return { ...page, section, sectionTitle: listed?.options.staticData?.title };
}
