import { CircleCheck, TriangleAlert } from "lucide-react";
import { Badge } from "#ui/content/badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { cx } from "#ui/cx.ts";
import { Tooltip, tooltipDelays } from "#ui/overlays/tooltip.tsx";
import { useServerHealth, useServerStatus } from "./server-status.ts";

/** Health and CPU usage of the server. */
export function StatusCard({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const { data: status } = useServerStatus();
  const health = useServerHealth();
  const { isFine, isFailing, text, cpu } = health ?? {
    isFine: true,
    isFailing: false,
    text: "System status",
    cpu: undefined,
  };
  const faultColor = isFailing ? "text-critical" : "text-warning";
  const Icon = isFine ? CircleCheck : TriangleAlert;
  const icon = (
    <Icon aria-hidden strokeWidth={1.75} className={cx("size-4 shrink-0", isFine ? "text-ok" : faultColor)} />
  );
  if (isCollapsed) return <CollapsedStatus icon={icon} text={text} cpu={cpu} />;
  if (health === undefined) return <Skeleton className="h-[4.625rem] w-full rounded-card!" />;
  const problems = [...(status?.checks.filter(({ ok }) => !ok) ?? []), ...(status?.warnings ?? [])];
  return (
    <section
      aria-label="System status"
      className="flex min-h-[4.625rem] flex-col justify-center rounded-card border border-line bg-bg px-2 py-3 text-label"
    >
      <p className="flex items-center gap-2">
        {icon}
        <span
          className="min-w-0 flex-1 font-medium"
          title={problems.map(({ message }) => message).join("\n") || undefined}
        >
          {text}
        </span>
      </p>
      {cpu && (
        <p className="mt-2 flex flex-wrap items-center justify-between gap-1 whitespace-nowrap text-muted">
          Flamekeep server
          <Badge className="px-1!" title="CPU usage of Flamekeep's own process, not of your services">
            {cpu}
          </Badge>
        </p>
      )}
    </section>
  );
}

interface CollapsedStatusProps {
  readonly icon: React.ReactNode;
  readonly text: string;
  readonly cpu: string | undefined;
}

function CollapsedStatus({ icon, text, cpu }: CollapsedStatusProps) {
  const usage = cpu && `Flamekeep server, ${cpu}`;
  return (
    <Tooltip
      side="right"
      delay={tooltipDelays.sidebar}
      content={
        <>
          <span className="block font-medium">{text}</span>
          {usage && <span className="block opacity-75">{usage}</span>}
        </>
      }
    >
      <button
        type="button"
        aria-label={usage ? `${text}. ${usage}` : text}
        className="mx-auto grid size-9 place-items-center rounded-control"
      >
        {icon}
      </button>
    </Tooltip>
  );
}
