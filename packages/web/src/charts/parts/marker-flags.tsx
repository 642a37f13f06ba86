import { Rocket, TriangleAlert } from "lucide-react";
import { cloneElement, useCallback, useRef, useState } from "react";
import { importOnce } from "#api/import-page.ts";
import { type ChartMarker, markerText } from "#charts/model/chart.ts";
import type { TimeSpan } from "#charts/model/series.ts";
import type { PlotBox } from "#charts/plot/create-plot.ts";
import type { Zone } from "#format/wall-time.ts";
import { cx } from "#ui/cx.ts";
import { positionOf } from "./selected-span.tsx";

interface MarkerFlagsProps {
  readonly markers: readonly ChartMarker[];
  readonly whole: TimeSpan;
  readonly box: PlotBox;
  readonly zone: Zone;
}

const flagPx = 18;

const loadDetails = importOnce(() => import("./marker-details.tsx"));

/** A button over the line of each deploy and alert. Flags that would overlap are one, with the details of all. */
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

interface Use {
  readonly details: Awaited<ReturnType<typeof loadDetails>>;
  readonly isOpen: boolean;
  /** Whether the flag had the focus, which the one of the details takes over: it is a new element. */
  readonly hasFocus: boolean;
}

function MarkerFlag({ group, left, zone }: MarkerFlagProps) {
  const [use, setUse] = useState<Use>();
  const button = useRef<HTMLButtonElement>(null);
  const prepare = useCallback(
    (isOpen = false) =>
      loadDetails().then((details) => {
        const hasFocus = button.current !== null && document.activeElement === button.current;
        // A pointer that rests on the flag does not enter the new element by itself.
        const isHovered = button.current?.matches(":hover") === true;
        setUse((before) => before ?? { details, isOpen: isOpen || isHovered, hasFocus });
      }),
    [],
  );
  const alert = group.find(({ kind }) => kind === "alert");
  const Icon = alert === undefined ? Rocket : TriangleAlert;
  const flag = (
    <button
      type="button"
      aria-label={group.map((marker) => markerText(marker, zone)).join("; ")}
      className={cx(
        "absolute top-0 grid place-items-center rounded-badge",
        alert === undefined ? "bg-surface-2 text-muted" : "bg-critical/12 text-critical-text",
      )}
      style={{ left, width: flagPx, height: flagPx }}
    >
      <Icon aria-hidden className="size-3" strokeWidth={2} />
    </button>
  );
  if (use !== undefined) {
    const { details, isOpen, hasFocus } = use;
    const trigger = cloneElement(flag, { autoFocus: hasFocus });
    return <details.MarkerDetails trigger={trigger} markers={group} zone={zone} isOpen={isOpen} />;
  }
  return cloneElement(flag, {
    ref: button,
    "aria-haspopup": "dialog",
    // The details bring a flag that opens on hover, and replaces this one under the pointer.
    onPointerEnter: () => prepare().catch(console.warn),
    onFocus: () => prepare().catch(console.warn),
    onClick: () => prepare(true).catch(console.warn),
  });
}

/** Markers whose positions are closer than `distance` become one. Expects ascending positions. */
export function clustered<T>(items: readonly T[], positionOf: (item: T) => number, distance: number): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group !== undefined && positionOf(item) - positionOf(group[0]!) < distance) group.push(item);
    else groups.push([item]);
  }
  return groups;
}
