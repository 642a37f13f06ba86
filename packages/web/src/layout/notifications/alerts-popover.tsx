import type { ReactElement } from "react";
import { Popover } from "#ui/overlays/popover.tsx";
import { OpenAlerts } from "./open-alerts.tsx";

export function AlertsPopover({ trigger }: { readonly trigger: ReactElement }) {
  return (
    <Popover
      trigger={trigger}
      title="Open alerts"
      titleClass="px-4 pt-3 pb-2 font-semibold text-body"
      className="flex max-h-[min(32rem,var(--available-height))] w-[min(24rem,calc(100vw-2rem))] flex-col overflow-hidden!"
    >
      {(close) => <OpenAlerts onLeave={close} />}
    </Popover>
  );
}
