import {
  ArrowLeftRight,
  Bell,
  ChartLine,
  Cpu,
  KeyRound,
  LayoutGrid,
  Lock,
  type LucideIcon,
  MemoryStick,
  Share2,
  ShieldCheck,
  Users,
  Workflow,
} from "lucide-react";

interface Feature {
  readonly title: string;
  readonly text: string;
  readonly icon: LucideIcon;
}

// Lists only features that exist.
export const features: readonly Feature[] = [
  {
    title: "CPU Profiling",
    text: "Which functions use the cores, down to inlined frames. The flame graph stays fast at a million nodes.",
    icon: Cpu,
  },
  {
    title: "Memory Analysis",
    text: "Memory in use and allocated, by bytes and by objects, from the same heap profile.",
    icon: MemoryStick,
  },
  {
    title: "Goroutine Insights",
    text: "Where goroutines run or block, how many share a stack, and what they wait for.",
    icon: Workflow,
  },
  {
    title: "Lock Contention",
    text: "Which code waits for a mutex or channel, which code holds it, and the total wait time.",
    icon: Lock,
  },
  {
    title: "Performance Timeline",
    text: "Every profile type by minute and hour. Choose a range and read the flame graph of all its profiles.",
    icon: ChartLine,
  },
  {
    title: "Regression Alerts",
    text: "When usage rises above normal: by webhook, Slack, Teams, PagerDuty or email, with the functions that grew.",
    icon: Bell,
  },
  {
    title: "Secure Sharing",
    text: "Roles for admins, members and viewers. A public link shows one graph, expires, and needs an admin's consent.",
    icon: Share2,
  },
  {
    title: "Team Collaboration",
    text: "Assign an incident and comment on it. Invite a colleague into the exact view on your screen.",
    icon: Users,
  },
  {
    title: "Cross-Project Comparison",
    text: "Up to four services side by side: cores, memory, p95, errors, and the library functions they share.",
    icon: ArrowLeftRight,
  },
  {
    title: "Custom Dashboards",
    text: "Charts, flame graphs, routes, alerts and notes in one grid, added from any page and shared by link.",
    icon: LayoutGrid,
  },
  {
    title: "Your clients, unmodified",
    text: "The Pyroscope SDKs for Go, Python and Node, or a curl of /debug/pprof: give them a key and this address.",
    icon: KeyRound,
  },
  {
    title: "Yours alone",
    text: "One process, one folder, no telemetry. A profile is acknowledged once it is on disk, its bytes unchanged.",
    icon: ShieldCheck,
  },
];

export const steps = [
  { title: "Collect profiles", text: "Services push with an API key, every few seconds or minutes." },
  {
    title: "Store and process",
    text: "Stacks are aggregated and synced to disk before the upload is acknowledged.",
  },
  {
    title: "Visualize and analyze",
    text: "Timelines, flame graphs and statistics of a profile, an hour or a month.",
  },
  { title: "Optimize", text: "Fix the widest frame, deploy, and look at the next profiles." },
] as const;

interface Chapter {
  readonly title: string;
  readonly text: string;
  readonly alt: string;
  readonly light: string;
  readonly dark: string;
}

/** From a change to its cause, in pictures of the demo that `npm run screenshots` takes. */
export const chapters: readonly Chapter[] = [
  {
    title: "See that something changed",
    text: "The dashboard starts with open alerts: which service uses more, since when, and by how much.",
    alt: "The dashboard of the demo: services, open alerts and recent profiles",
    light: new URL("./pictures/dashboard-light.webp", import.meta.url).href,
    dark: new URL("./pictures/dashboard-dark.webp", import.meta.url).href,
  },
  {
    title: "Choose the hour it began",
    text: "The page of a service shows all its profiles over time. Every view is an address that a colleague can open.",
    alt: "The page of the demo's checkout service",
    light: new URL("./pictures/service-light.webp", import.meta.url).href,
    dark: new URL("./pictures/service-dark.webp", import.meta.url).href,
  },
  {
    title: "Read the function to fix",
    text: "Each box is a function, its width is its share. Search, zoom, or list functions by self value.",
    alt: "A CPU profile of the demo as a flame graph",
    light: new URL("./pictures/profile-light.webp", import.meta.url).href,
    dark: new URL("./pictures/profile-dark.webp", import.meta.url).href,
  },
];
