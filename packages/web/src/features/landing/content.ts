import { Bell, Cpu, Download, KeyRound, type LucideIcon, MemoryStick, Workflow } from "lucide-react";

interface Feature {
  readonly title: string;
  readonly text: string;
  readonly icon: LucideIcon;
}

// Lists only features that exist.
export const features: readonly Feature[] = [
  {
    title: "CPU Profiling",
    text: "Which functions burn the cores, down to inlined frames, as a flame graph that stays fast at a million nodes.",
    icon: Cpu,
  },
  {
    title: "Memory Analysis",
    text: "What is in use and what is allocated, by bytes and by objects, from the same heap profile.",
    icon: MemoryStick,
  },
  {
    title: "Goroutine Insights",
    text: "Where goroutines are, what they wait for, and which mutex or channel makes them wait.",
    icon: Workflow,
  },
  {
    title: "Regression Alerts",
    text: "When a service begins to use more than before, you are notified by webhook, Slack or mail, with the functions that grew.",
    icon: Bell,
  },
  {
    title: "Your clients, unmodified",
    text: "The Pyroscope Go SDK or a curl of /debug/pprof: point them here with a key and they work.",
    icon: KeyRound,
  },
  {
    title: "Nothing lost",
    text: "A profile is acknowledged once it is on disk, and its original bytes can be downloaded unchanged.",
    icon: Download,
  },
];

export const steps = [
  { title: "Collect profiles", text: "Services push with an API key, as often as you like." },
  {
    title: "Store and process",
    text: "Stacks are summed, named and written to disk before the answer is given.",
  },
  { title: "Visualize and analyze", text: "Flame graphs and statistics for each profile of each service." },
  { title: "Optimize", text: "Fix the widest frame, deploy, and look at the next profile." },
] as const;
