import { CircleCheck, TriangleAlert } from "lucide-react";
import { Badge } from "#ui/content/badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { cx } from "#ui/cx.ts";
import { Tooltip } from "#ui/overlays/tooltip.tsx";
import { useServerHealth, useServerStatus } from "./server-status.ts";

/** Health and CPU usage of the server. */
export function StatusCard({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const { data: status, isError } = useServerStatus();
  const { isFine, isFailing, text } = useServerHealth() ?? { isFine: true, isFailing: false, text: "" };
  const faultColor = isFailing ? "text-critical" : "text-warning";
  const problems = [...(status?.checks.filter(({ ok }) => !ok) ?? []), ...(status?.warnings ?? [])];
  const Icon = isFine ? CircleCheck : TriangleAlert;
  const icon = (
    <Icon aria-hidden strokeWidth={1.75} className={cx("size-4 shrink-0", isFine ? "text-ok" : faultColor)} />
  );
  if (isCollapsed) {
    return (
      <Tooltip content={text || "System status"} side="right" delay={100}>
        <button
          type="button"
          aria-label={text || "System status"}
          className="mx-auto grid size-9 place-items-center rounded-control"
        >
          {icon}
        </button>
      </Tooltip>
    );
  }
  return (
    <div className="rounded-card border border-line bg-bg p-3 text-label">
      {status === undefined && !isError ? (
        <Skeleton className="h-10 w-full" />
      ) : (
        <>
          <div className="flex items-center gap-2">
            {icon}
            <span
              className="min-w-0 flex-1 font-medium"
              title={problems.map(({ message }) => message).join("\n")}
            >
              {text}
            </span>
          </div>
          {status && !isError && (
            <div className="mt-2 flex items-center justify-between text-muted">
              <span>CPU usage</span>
              <Badge title="Of the server's process; 100% is one core">
                {Math.round(status.cpu_percent)}%
              </Badge>
            </div>
          )}
        </>
      )}
    </div>
  );
}
