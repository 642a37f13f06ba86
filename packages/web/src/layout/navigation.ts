import {
  Bell,
  ChartNoAxesGantt,
  FolderKanban,
  LayoutDashboard,
  type LucideIcon,
  Settings,
} from "lucide-react";

export interface NavigationItem {
  readonly to: "/dashboard" | "/profiles" | "/alerts" | "/projects" | "/settings";
  readonly label: string;
  readonly description: string;
  readonly icon: LucideIcon;
}

export interface NavigationGroup {
  readonly label: string;
  readonly items: readonly NavigationItem[];
}

export const navigation: readonly NavigationGroup[] = [
  {
    label: "Profiling",
    items: [
      {
        to: "/dashboard",
        label: "Dashboard",
        description: "Overview and analytics",
        icon: LayoutDashboard,
      },
      {
        to: "/profiles",
        label: "Profiles",
        description: "View all performance profiles",
        icon: ChartNoAxesGantt,
      },
    ],
  },
  {
    label: "Management",
    items: [
      { to: "/alerts", label: "Alerts", description: "Performance alerts", icon: Bell },
      { to: "/projects", label: "Projects", description: "Manage projects", icon: FolderKanban },
      { to: "/settings", label: "Settings", description: "Application settings", icon: Settings },
    ],
  },
];

/** Whether the item stands for the page at this path: its own, or one below it. */
export function isCurrent(item: NavigationItem, pathname: string): boolean {
  if (item.to === "/profiles" && /^\/(profile\/|[a-z]+-profiles\/?$)/.test(pathname)) return true;
  return pathname === item.to || pathname.startsWith(`${item.to}/`);
}

export interface PageTitle {
  readonly title: string;
  readonly subtitle: string;
}

const titles: Record<string, PageTitle> = {
  "/dashboard": { title: "Dashboard", subtitle: "Performance overview and insights" },
  "/profiles": { title: "All Profiles", subtitle: "Comprehensive profiling data" },
  "/cpu-profiles": { title: "CPU Profiles", subtitle: "CPU performance analysis" },
  "/memory-profiles": { title: "Memory Profiles", subtitle: "Memory usage patterns" },
  "/goroutine-profiles": { title: "Goroutine Profiles", subtitle: "Concurrency and goroutine insights" },
  "/alerts": { title: "Alerts", subtitle: "Performance alerts and notifications" },
  "/projects": { title: "Projects", subtitle: "Manage your profiling projects" },
  "/settings": { title: "Settings", subtitle: "Application preferences and configuration" },
};

/** Header texts by path; other paths have none. */
export function pageTitle(pathname: string): PageTitle | undefined {
  return titles[pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname];
}
