import { TriangleAlert } from "lucide-react";
import { cx } from "#ui/cx.ts";
import { useServerHealth, useServerStatus } from "./server-status.ts";
import { TaskBanner } from "./task-banner.tsx";

/**
 * Problems of the server, below the header. Tasks for an operator are shown on every screen, other problems only on phones,
 * where the status card is hidden in the closed sheet.
 */
export function StatusStrip() {
  const health = useServerHealth();
  const { data: status } = useServerStatus();
  const tasks = status?.warnings.filter(({ action }) => action !== undefined) ?? [];
  const hasOtherProblem = health?.isFine === false && (health.isFailing || tasks.length === 0);
  return (
    <>
      {hasOtherProblem && (
        <p
          role="status"
          className={cx(
            "sticky top-16 z-30 flex items-center gap-2 border-line border-b bg-surface px-4 py-2.5 font-medium md:hidden",
            health.isFailing ? "text-critical-text" : "text-warning-text",
          )}
        >
          <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          {health.text}
        </p>
      )}
      {tasks.length > 0 && <TaskBanner tasks={tasks} />}
    </>
  );
}
