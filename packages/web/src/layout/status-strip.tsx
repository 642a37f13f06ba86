import type { Warning } from "@flamekeep/contract";
import { TriangleAlert } from "lucide-react";
import { useServerHealth, useServerStatus } from "./status.ts";

/**
 * Problems of the server under the header. What an admin must do is shown on every screen. Everything else is shown on
 * phones only, where the status card is in a closed sheet.
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
          className="sticky top-16 z-30 flex items-center gap-2 border-line border-b bg-surface px-4 py-2.5 font-medium text-warning-text md:hidden"
        >
          <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          {health.text}
        </p>
      )}
      {tasks.length > 0 && <TaskBanner tasks={tasks} />}
    </>
  );
}

function TaskBanner({ tasks }: { readonly tasks: readonly Warning[] }) {
  return (
    <section
      aria-label="Needs an operator"
      className="flex gap-3 border-line border-b bg-surface px-4 py-3 md:px-6"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning-text" strokeWidth={1.75} />
      <ul className="flex min-w-0 max-w-4xl flex-col gap-2">
        {tasks.map(({ message, action }) => (
          <li key={message} className="[overflow-wrap:anywhere]">
            <p className="font-medium">{message}</p>
            <p className="text-muted">{action}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
