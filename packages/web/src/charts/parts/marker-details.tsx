import { Popover } from "@base-ui/react/popover";
import type { ReactElement } from "react";
import type { ChartMarker } from "#charts/model/chart.ts";
import { momentText } from "#charts/model/time-ticks.ts";
import type { Zone } from "#format/wall-time.ts";
import { Button } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";

interface MarkerDetailsProps {
  readonly trigger: ReactElement;
  readonly markers: readonly ChartMarker[];
  readonly zone: Zone;
  /** Whether a click or a pointer on the flag has asked for them, before their code was there. */
  readonly isOpen: boolean;
}

/** The deploys and alerts at a place of the chart, with their actions. A pointer opens them by resting on the flag. */
export function MarkerDetails({ trigger, markers, zone, isOpen }: MarkerDetailsProps) {
  return (
    <Popover.Root defaultOpen={isOpen}>
      <Popover.Trigger openOnHover delay={100} closeDelay={150} render={trigger} />
      <Popover.Portal>
        <Popover.Positioner side="top" sideOffset={4} collisionPadding={8} className="z-50">
          <Popover.Popup
            className={cx(
              markers.length > 1 ? "w-[32rem]" : "w-80",
              "max-w-[calc(100vw-1rem)] rounded-control border border-line bg-surface p-3 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0",
            )}
          >
            <Popover.Title className="sr-only">Deploys and alerts</Popover.Title>
            {markers.length > 1 ? (
              <EventList markers={markers} zone={zone} />
            ) : (
              markers.map((marker) => <Event key={marker.label} marker={marker} zone={zone} />)
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** One line for each event, with its actions at the end. */
function EventList({ markers, zone }: Pick<MarkerDetailsProps, "markers" | "zone">) {
  return (
    <ul className="flex flex-col">
      {markers.map((marker) => {
        const { atMs, label, actions = [] } = marker;
        return (
          <li key={`${atMs} ${label}`} className="flex min-h-8 flex-wrap items-center gap-x-3">
            <span className="text-label text-muted tabular-nums">{momentText(atMs, zone)}</span>
            <span title={titleOf(marker)} className="min-w-0 flex-1 truncate font-medium max-sm:basis-full">
              {label}
            </span>
            {actions.map((action) => (
              <Popover.Close
                key={action.label}
                aria-label={`${action.label}: ${label}`}
                className="shrink-0 text-accent-text text-label hover:underline max-md:min-h-10"
                onClick={action.onSelect}
              >
                {action.shortLabel}
              </Popover.Close>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

function titleOf({ label, details }: ChartMarker): string {
  return details === undefined ? label : `${label}. ${details}`;
}

function Event({ marker, zone }: { readonly marker: ChartMarker; readonly zone: Zone }) {
  const { atMs, label, details, actions = [] } = marker;
  return (
    <div className="[overflow-wrap:anywhere]">
      <p className="text-label text-muted">{momentText(atMs, zone)}</p>
      <p className="font-medium">{label}</p>
      {details !== undefined && <p className="text-label text-muted">{details}</p>}
      {actions.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {actions.map((action) => (
            <Popover.Close
              key={action.label}
              render={<Button size="sm" className="h-8" />}
              onClick={action.onSelect}
            >
              {action.label}
            </Popover.Close>
          ))}
        </div>
      )}
    </div>
  );
}
