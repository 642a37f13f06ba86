import type { ComponentProps, ReactNode } from "react";
import { TimeSeries } from "#charts/time-series.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel, type PanelQuery } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Empty } from "./parts.tsx";
import type { ProjectTime } from "./project-time.ts";
import { type MarkedChart, useMarkers } from "./use-markers.ts";

const gridClass = "grid gap-4 min-[1100px]:grid-cols-2";

interface ChartsProps<T> {
  readonly label: string;
  readonly query: PanelQuery<T>;
  readonly errorTitle: string;
  /** Whether the reply has nothing to draw, and what is said then. */
  readonly isEmpty: (reply: T) => boolean;
  readonly emptyTitle: string;
  readonly emptyNote?: ReactNode;
  /** Four of `ChartCard`. */
  readonly children: (reply: T) => ReactNode;
}

/** The charts of one reply. */
export function Charts<T>({ label, isEmpty, emptyTitle, emptyNote, children, ...panel }: ChartsProps<T>) {
  const blocks = { label: `Loading ${label.toLowerCase()}`, count: 4, className: "h-78.5 rounded-card!" };
  return (
    <section aria-label={label}>
      <Panel
        {...panel}
        loading={<SkeletonBlocks {...blocks} layoutClass={gridClass} />}
        empty={(reply) =>
          isEmpty(reply) ? (
            <Card>
              <Empty title={emptyTitle}>{emptyNote}</Empty>
            </Card>
          ) : null
        }
      >
        {(reply) => <div className={gridClass}>{children(reply)}</div>}
      </Panel>
    </section>
  );
}

interface ChartCardProps {
  readonly title: string;
  readonly detail: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ChartCard({ title, detail, actions, children }: ChartCardProps) {
  return (
    // At the bottom, so that charts next to each other are aligned where a head takes two lines.
    <Card className="flex min-w-0 flex-col">
      <CardHeader title={title} detail={detail} actions={actions} />
      <div className="mt-auto px-4 pb-3">{children}</div>
    </Card>
  );
}

type ChartProps = ComponentProps<typeof TimeSeries>;

interface ProjectChartProps
  extends Pick<ChartProps, "label" | "timesMs" | "bucketMs" | "series" | "unit" | "isStacked" | "heightPx"> {
  readonly time: ProjectTime;
  readonly marked: MarkedChart;
  /** In place of a chart without values. */
  readonly emptyTitle: string;
}

/** Values over time, with deploys and alerts. Its axis is that of the other charts of the page. */
export function ProjectChart({ time, marked, emptyTitle, ...chart }: ProjectChartProps) {
  const markers = useMarkers(time, marked);
  // It has the size of a chart with its legend, so that cards in one row stay aligned.
  if (chart.series.every(({ values }) => values.every((value) => value === null)))
    return <p className="grid h-58 place-items-center text-muted">{emptyTitle}</p>;
  return (
    <TimeSeries {...chart} markers={markers} syncGroup="project" zone={time.zone} onSelect={time.zoomTo} />
  );
}
