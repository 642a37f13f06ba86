import { TriangleAlert } from "lucide-react";
import { useServerHealth } from "./status.ts";

/** On a phone the status card is in a closed sheet: what is wrong stands under the header. */
export function StatusStrip() {
  const health = useServerHealth();
  if (health === undefined || health.isFine) return null;
  return (
    <p
      role="status"
      className="sticky top-16 z-30 flex items-center gap-2 border-line border-b bg-surface px-4 py-2.5 font-medium text-warning-text md:hidden"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      {health.text}
    </p>
  );
}
