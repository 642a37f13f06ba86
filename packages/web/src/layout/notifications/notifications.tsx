import { Bell } from "lucide-react";
import { useState } from "react";
import { plural } from "#format/number.ts";
import { useServerStatus } from "#layout/status/server-status.ts";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { Popover } from "#ui/overlays/popover.tsx";
import { OpenAlerts } from "./open-alerts.tsx";

/** The number of open alerts, and a list that leads to them. */
export function Notifications() {
  const [isOpen, setIsOpen] = useState(false);
  const { data: status } = useServerStatus();
  const count = status?.open_alerts ?? 0;
  const label = count === 0 ? "Notifications" : `Notifications: ${plural(count, "open alert")}`;
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      title="Open alerts"
      trigger={
        <button
          type="button"
          aria-label={label}
          title={isOpen ? undefined : label}
          className={cx(buttonClass("ghost", "icon"), "relative")}
        >
          <Bell aria-hidden className="size-4" strokeWidth={1.75} />
          {count > 0 && (
            <span className="absolute top-0.5 right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-critical px-1 font-medium text-[0.625rem] text-surface leading-none">
              {count > 99 ? "99+" : count}
            </span>
          )}
        </button>
      }
    >
      <OpenAlerts onLeave={() => setIsOpen(false)} />
    </Popover>
  );
}
