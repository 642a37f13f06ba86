import { CircleCheck, CircleDashed, OctagonAlert, TriangleAlert, Unplug } from "lucide-react";
import { timeBetween } from "#format/time.ts";
import { cx } from "#ui/cx.ts";
import { useNow } from "#ui/hooks/use-now.ts";
import { Badge } from "./badge.tsx";

export type Health = "healthy" | "warning" | "critical";

const marks = {
  healthy: { word: "Healthy", icon: CircleCheck, ink: "text-ok-text", tone: "ok" },
  warning: { word: "Warning", icon: TriangleAlert, ink: "text-warning-text", tone: "warning" },
  critical: { word: "Critical", icon: OctagonAlert, ink: "text-critical-text", tone: "critical" },
  loading: { word: "Loading", icon: CircleDashed, ink: "text-muted", tone: "neutral" },
  silent: { word: "Silent", icon: Unplug, ink: "text-critical-text", tone: "critical" },
} as const;

interface HealthProps {
  /** By open alerts. */
  readonly health: Health;
  /** When the last upload of a silent service arrived: what its alerts say is out of date. */
  readonly silentSince?: string | null | undefined;
  /** Whether data that may open alerts still arrives: a service without alerts need not be healthy. */
  readonly isLoading?: boolean;
}

function WordOfHealth(props: HealthProps) {
  const { silentSince } = props;
  const { word, icon: Icon } = marks[markOf(props)];
  return (
    <>
      <Icon aria-hidden className="size-3.5" strokeWidth={2} />
      {silentSince ? <SilentFor since={silentSince} /> : word}
    </>
  );
}

function SilentFor({ since }: { readonly since: string }) {
  return `Silent for ${timeBetween(since, new Date(useNow()).toISOString())}`;
}

function markOf({ health, silentSince, isLoading = false }: HealthProps): keyof typeof marks {
  if (silentSince) return "silent";
  return isLoading && health === "healthy" ? "loading" : health;
}

export function HealthMark(props: HealthProps) {
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1 font-medium text-label",
        marks[markOf(props)].ink,
      )}
    >
      <WordOfHealth {...props} />
    </span>
  );
}

/** The same with the tint of a badge, for a page's title. */
export function HealthBadge(props: HealthProps) {
  return (
    <Badge tone={marks[markOf(props)].tone}>
      <WordOfHealth {...props} />
    </Badge>
  );
}
