import { Bell } from "lucide-react";
import { cloneElement } from "react";
import { importOnce } from "#api/import-page.ts";
import { plural } from "#format/number.ts";
import { useServerStatus } from "#layout/status/server-status.ts";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { useFirstUse } from "#ui/overlays/first-use.ts";

const loadNotifications = importOnce(() => import("./alerts-popover.tsx"));

/** The number of open alerts, and a list that leads to them. */
export function Notifications() {
  const { data: status } = useServerStatus();
  const { used, triggerProps } = useFirstUse(loadNotifications, "dialog");
  const count = status?.open_alerts ?? 0;
  const label = count === 0 ? "Notifications" : `Notifications: ${plural(count, "open alert")}`;
  const trigger = (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(buttonClass("ghost", "icon"), "relative")}
    >
      <Bell aria-hidden className="size-4" strokeWidth={1.75} />
      {count > 0 && (
        <span className="absolute top-0.5 right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-critical px-1 font-medium text-[0.625rem] text-surface leading-none">
          {count > 99 ? "99+" : count}
        </span>
      )}
    </button>
  );
  if (used === undefined) return cloneElement(trigger, triggerProps);
  return <used.parts.AlertsPopover trigger={trigger} />;
}
