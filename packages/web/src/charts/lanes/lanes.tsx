import { memo, useMemo, useState } from "react";
import type { ChartMarker } from "#charts/model/chart.ts";
import type { SeriesColor } from "#charts/model/colours.ts";
import { nearestBucket, type TimeSpan, type Values } from "#charts/model/series.ts";
import { sparklinePath } from "#charts/model/sparkline.ts";
import { momentText, spanText, timeTicks } from "#charts/model/time-ticks.ts";
import { type ChartUnit, unitText } from "#charts/model/units.ts";
import { MarkerFlags } from "#charts/parts/marker-flags.tsx";
import { SelectedSpan } from "#charts/parts/selected-span.tsx";
import type { PlotBox } from "#charts/plot/create-plot.ts";
import type { Zone } from "#format/wall-time.ts";
import { cx } from "#ui/cx.ts";
import { useWidth } from "#ui/hooks/use-width.ts";
import { type SelectionKind, useLaneSelection } from "./use-lane-selection.ts";

/** One figure over time. Lanes of one stack may have buckets of different widths. */
export interface Lane {
  readonly id: string;
  readonly label: string;
  readonly unit: ChartUnit;
  readonly color: SeriesColor;
  /** Start of each bucket, ascending. */
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
  readonly values: Values;
}

interface LanesProps {
  /** Accessible name of the stack. */
  readonly label: string;
  readonly lanes: readonly Lane[];
  /** The time axis of all lanes. */
  readonly whole: TimeSpan;
  /** A drag selects whole steps. */
  readonly stepMs: number;
  readonly zone: Zone;
  readonly markers: readonly ChartMarker[];
  readonly selected: TimeSpan | undefined;
  /** The time that the selection is compared with. */
  readonly before: TimeSpan | undefined;
  /** Whether the next drag marks the time before; a drag with Shift always does. */
  readonly isMarkingBefore: boolean;
  readonly onSelect: (kind: SelectionKind, span: TimeSpan | undefined) => void;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  /** Columns of lanes next to each other, on the same time axis. */
  readonly columns: 1 | 3;
}

const laneHeightPx = 48;

/** Thin charts on one time axis. A drag on any of them selects in all; deploys and alerts cross all lanes. */
export function Lanes({ lanes, columns, ...shared }: LanesProps) {
  const [cursorMs, setCursorMs] = useState<number | null>(null);
  const rows = Math.ceil(lanes.length / columns);
  // Four lanes fill two of three columns.
  const filled = Math.max(1, Math.ceil(lanes.length / Math.max(1, rows)));
  const parts = Array.from({ length: filled }, (_, at) => lanes.slice(at * rows, (at + 1) * rows));
  return (
    <section aria-label={shared.label} className={cx("grid gap-x-6", columns === 3 && "grid-cols-3")}>
      {parts.map((part) => (
        <LaneColumn
          key={part[0]?.id ?? "empty"}
          {...shared}
          lanes={part}
          cursorMs={cursorMs}
          onCursor={setCursorMs}
        />
      ))}
    </section>
  );
}

interface LaneColumnProps extends Omit<LanesProps, "columns"> {
  readonly cursorMs: number | null;
  readonly onCursor: (atMs: number | null) => void;
}

function LaneColumn(props: LaneColumnProps) {
  const { lanes, chosen, onChoose, cursorMs } = props;
  return (
    <div className="grid min-w-0 grid-cols-[7.5rem_1fr]">
      <ul className="min-w-0">
        {lanes.map((lane) => (
          <li key={lane.id}>
            <LaneLabel lane={lane} cursorMs={cursorMs} isChosen={lane.id === chosen} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      <LaneChart {...props} />
    </div>
  );
}

/** The lines of a column, over them what belongs to all lanes, and the axis. */
function LaneChart(props: LaneColumnProps) {
  const { lanes, whole, zone, chosen, onChoose, cursorMs } = props;
  const { ref, width } = useWidth();
  const selection = useLaneSelection({
    ...props,
    onClick: (share) => onChoose(lanes[Math.min(lanes.length - 1, Math.floor(share * lanes.length))]!.id),
  });
  const { pending } = selection;
  const heightPx = lanes.length * laneHeightPx;
  return (
    <div className="min-w-0">
      <div
        ref={ref}
        role="application"
        aria-roledescription="chart"
        aria-label={`${props.label}: ${lanes.map(({ label }) => label).join(", ")}`}
        aria-description="Arrow keys, Home and End move the cursor. With Shift they select a range, Enter applies it, Escape clears it."
        className="relative cursor-crosshair touch-pan-y select-none"
        style={{ height: heightPx }}
        {...selection.handlers}
      >
        {lanes.map((lane) => (
          <LaneLine key={lane.id} lane={lane} whole={whole} isChosen={lane.id === chosen} />
        ))}
        <LaneOverlay {...props} {...{ width, heightPx, pending }} />
      </div>
      <TimeAxis whole={whole} zone={zone} width={width} cursorMs={cursorMs} />
      <p aria-live="polite" className="sr-only">
        {selection.isByKeyboard && cursorMs !== null && cursorSentence(lanes, cursorMs, zone)}
        {selection.isByKeyboard &&
          pending !== undefined &&
          `. Selected: ${spanText(pending.span.fromMs, pending.span.toMs, zone)}`}
      </p>
    </div>
  );
}

interface LaneOverlayProps extends LaneColumnProps {
  readonly width: number;
  readonly heightPx: number;
  readonly pending: ReturnType<typeof useLaneSelection>["pending"];
}

function LaneOverlay({ width, heightPx, pending, ...props }: LaneOverlayProps) {
  const { whole, zone, markers, selected, before, cursorMs } = props;
  const box = useMemo((): PlotBox => ({ left: 0, top: 0, width, height: heightPx }), [width, heightPx]);
  return (
    <>
      <MarkerLines markers={markers} whole={whole} />
      <BeforeSpan span={pending?.kind === "before" ? pending.span : before} whole={whole} box={box} />
      <SelectedSpan
        span={pending?.kind === "selected" ? pending.span : selected}
        {...{ whole, box }}
        isAdjustable={false}
      />
      {cursorMs !== null && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 w-px bg-muted/60"
          style={{ left: `${shareOf(cursorMs, whole) * 100}%` }}
        />
      )}
      {markers.length > 0 && width > 0 && <MarkerFlags {...{ markers, whole, box, zone }} />}
    </>
  );
}

function shareOf(atMs: number, { fromMs, toMs }: TimeSpan): number {
  return (atMs - fromMs) / (toMs - fromMs);
}

/** The value of the bucket at a time, or the last one that was measured. */
function valueAt({ timesMs, bucketMs, values }: Lane, atMs: number | null): number | null {
  if (atMs === null) return values.findLast((value) => value !== null) ?? null;
  return values[nearestBucket(timesMs, bucketMs, atMs)] ?? null;
}

function cursorSentence(lanes: readonly Lane[], atMs: number, zone: Zone): string {
  const values = lanes.map((lane) => `${lane.label} ${unitText(valueAt(lane, atMs), lane.unit)}`);
  return `${momentText(atMs, zone)}: ${values.join(", ")}`;
}

interface LaneLabelProps {
  readonly lane: Lane;
  readonly cursorMs: number | null;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function LaneLabel({ lane, cursorMs, isChosen, onChoose }: LaneLabelProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(lane.id)}
      className={cx(
        "flex w-full flex-col justify-center border-l-2 pr-1 pl-2.5 text-left transition-colors duration-150 hover:bg-surface-2/60",
        isChosen ? "border-accent bg-surface-2/60" : "border-transparent",
      )}
      style={{ height: laneHeightPx }}
    >
      <span className="flex items-center gap-2 text-label text-muted">
        <span aria-hidden className="size-2 rounded-full" style={{ background: `var(--${lane.color})` }} />
        <span className="truncate" title={lane.label}>
          {lane.label}
        </span>
      </span>
      <span data-quantity className="truncate font-semibold tabular-nums">
        {unitText(valueAt(lane, cursorMs), lane.unit)}
      </span>
    </button>
  );
}

interface LaneLineProps {
  readonly lane: Lane;
  readonly whole: TimeSpan;
  readonly isChosen: boolean;
}

const drawnWidth = 1000;

const LaneLine = memo(function LaneLine({ lane, whole, isChosen }: LaneLineProps) {
  const { timesMs, bucketMs, values, color } = lane;
  const { line, area, dots } = useMemo(
    () =>
      sparklinePath(values, drawnWidth, laneHeightPx - 8, {
        x: (at) => shareOf((timesMs[at] ?? 0) + bucketMs / 2, whole) * drawnWidth,
      }),
    [values, timesMs, bucketMs, whole],
  );
  const ink = `var(--${color})`;
  return (
    <svg
      aria-hidden
      viewBox={`0 -6 ${drawnWidth} ${laneHeightPx}`}
      preserveAspectRatio="none"
      className={cx("block w-full border-line border-b", isChosen && "bg-surface-2/40")}
      height={laneHeightPx}
    >
      <path d={area} fill={ink} fillOpacity={0.14} />
      <path d={line} fill="none" stroke={ink} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      <path d={dots} stroke={ink} strokeWidth={3} strokeLinecap="round" vectorEffect="non-scaling-stroke" />
    </svg>
  );
});

/** A deploy and an alert of the same minute are both visible: their lines differ in colour and dash, and lie side by side. */
function MarkerLines({ markers, whole }: Pick<LanesProps, "markers" | "whole">) {
  const inside = markers.filter(({ atMs }) => atMs >= whole.fromMs && atMs <= whole.toMs);
  return inside.map(({ atMs, kind, label }) => (
    <span
      key={`${kind} ${atMs} ${label}`}
      aria-hidden
      className={cx(
        "pointer-events-none absolute top-4.5 bottom-0 border-l",
        kind === "alert" ? "ml-px border-critical" : "-ml-px border-muted border-dashed",
      )}
      style={{ left: `${shareOf(atMs, whole) * 100}%` }}
    />
  ));
}

interface BeforeSpanProps {
  readonly span: TimeSpan | undefined;
  readonly whole: TimeSpan;
  readonly box: PlotBox;
}

function BeforeSpan({ span, whole, box }: BeforeSpanProps) {
  if (span === undefined) return null;
  const [from, to] = [span.fromMs, span.toMs].map((ms) => Math.min(1, Math.max(0, shareOf(ms, whole))));
  if (from === to) return null;
  return (
    <div
      data-before-span
      className="pointer-events-none absolute border-info border-x border-dashed bg-info/12"
      style={{ left: `${from! * 100}%`, width: `${(to! - from!) * 100}%`, top: 0, height: box.height }}
    >
      <span className="absolute top-0 left-1 text-label text-info-text">Before</span>
    </div>
  );
}

interface TimeAxisProps extends Pick<LaneColumnProps, "whole" | "zone" | "cursorMs"> {
  readonly width: number;
}

const tickWidthPx = 60;

/** One line of times; midnight is the date of its day. */
function TimeAxis({ whole, zone, width, cursorMs }: TimeAxisProps) {
  const max = Math.max(2, Math.min(6, Math.floor(width / tickWidthPx)));
  const ticks = useMemo(
    () => timeTicks({ ...whole, lastPointMs: whole.toMs - 1 }, zone, max),
    [whole, zone, max],
  );
  return (
    <div aria-hidden className="relative h-4 text-[11px] text-muted leading-4">
      {ticks.timesMs.map((atMs, at) => (
        <span
          key={atMs}
          className={cx("absolute whitespace-nowrap", isAtEdge(shareOf(atMs, whole)))}
          style={{ left: `${shareOf(atMs, whole) * 100}%` }}
        >
          {tickText(ticks.texts[at]!)}
        </span>
      ))}
      {cursorMs !== null && (
        <span
          className={cx(
            "absolute whitespace-nowrap rounded-badge bg-surface-2 px-1 text-text",
            isAtEdge(shareOf(cursorMs, whole)),
          )}
          style={{ left: `${shareOf(cursorMs, whole) * 100}%` }}
        >
          {momentText(cursorMs, zone)}
        </span>
      )}
    </div>
  );
}

function tickText(text: string): string {
  const [clock = "", date] = text.split("\n");
  return clock === "00:00" && date !== undefined ? date : clock;
}

/** Labels stay inside of the axis. */
function isAtEdge(share: number): string {
  if (share < 0.06) return "";
  return share > 0.94 ? "-translate-x-full" : "-translate-x-1/2";
}
