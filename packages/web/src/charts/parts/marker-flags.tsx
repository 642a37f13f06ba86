import { Rocket, TriangleAlert } from "lucide-react";
import type { ChartMarker } from "#charts/chart.ts";
import { clustered, type TimeSpan } from "#charts/model/series.ts";
import { momentText } from "#charts/model/time-ticks.ts";
import type { PlotBox } from "#charts/plot/create-plot.ts";
import type { Zone } from "#format/wall-time.ts";
import { cx } from "#ui/cx.ts";
import { Tooltip } from "#ui/overlays/tooltip.tsx";
import { positionOf } from "./selected-span.tsx";

interface MarkerFlagsProps {
  readonly markers: readonly ChartMarker[];
  readonly whole: TimeSpan;
  readonly box: PlotBox;
  readonly zone: Zone;
}

const flagPx = 18;

/** A button over the line of each deploy and alert. Flags that would overlap are one, which opens its first alert. */
export function MarkerFlags({ markers, whole, box, zone }: MarkerFlagsProps) {
  const inside = markers
    .filter(({ atMs }) => atMs >= whole.fromMs && atMs <= whole.toMs)
    .toSorted((a, b) => a.atMs - b.atMs);
  const position = ({ atMs }: ChartMarker) => positionOf(atMs, whole, box);
  return clustered(inside, position, flagPx).map((group) => (
    <MarkerFlag key={group[0]!.atMs} group={group} left={position(group[0]!) - flagPx / 2} zone={zone} />
  ));
}

interface MarkerFlagProps {
  readonly group: readonly ChartMarker[];
  readonly left: number;
  readonly zone: Zone;
}

function MarkerFlag({ group, left, zone }: MarkerFlagProps) {
  const alert = group.find(({ kind }) => kind === "alert");
  const Icon = alert === undefined ? Rocket : TriangleAlert;
  const open = (alert ?? group[0])?.onOpen;
  const lines = group.map(
    ({ atMs, label, details }) =>
      `${momentText(atMs, zone)}: ${label}${details === undefined ? "" : `. ${details}`}`,
  );
  return (
    <Tooltip
      delay={100}
      content={
        <ul className="flex flex-col gap-1">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      }
    >
      <button
        type="button"
        onClick={open}
        aria-label={lines.join("; ")}
        className={cx(
          "absolute top-0 grid place-items-center rounded-badge",
          alert === undefined ? "bg-surface-2 text-muted" : "bg-critical/12 text-critical-text",
          open === undefined && "cursor-default!",
        )}
        style={{ left, width: flagPx, height: flagPx }}
      >
        <Icon aria-hidden className="size-3" strokeWidth={2} />
      </button>
    </Tooltip>
  );
}
