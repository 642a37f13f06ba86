import type { ComparisonMeta } from "@flamekeep/flame/compare";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { spanText } from "#charts/model/time-ticks.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { durationMsMeasure } from "#format/measure.ts";
import { plural } from "#format/number.ts";
import { seriesQuery } from "#profile-series/series-query.ts";
import { timedCharts } from "#profile-series/timed-charts.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { ExactTime, Quantity } from "#ui/content/values.tsx";
import { bucketOf, type SideName, spanOfSide, type windowsOf } from "./model.ts";
import { SideTags } from "./side-tags.tsx";
import type { Compare } from "./use-compare.ts";

interface SideCardProps {
  readonly name: SideName;
  readonly compare: Compare;
  readonly meta: ComparisonMeta;
  /** As `type/unit`. */
  readonly sampleType: string;
  readonly window: ReturnType<typeof windowsOf>[SideName];
}

const heightPx = 130;

/** One side: which profiles it is made of, on a timeline where dragging chooses others. */
export function SideCard({ name, compare, meta, sampleType, window }: SideCardProps) {
  const side = meta[name];
  const span = spanOfSide(side);
  const title = name === "before" ? "Before" : "After";
  const detail =
    side.profileId === null
      ? `${side.service}, ${spanText(span.fromMs, span.toMs, compare.zone)}, ${plural(side.profiles, "profile")}`
      : side.service;
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        detail={detail}
        actions={
          <div className="flex min-w-0 flex-wrap gap-2">
            {side.profileId === null && (
              <SideTags
                label={`Tags of ${title.toLowerCase()}`}
                noun="Tag"
                example="version:1.4.2"
                tags={side.tags}
                onChange={(tags) => compare.changeSide(name, { tags })}
              />
            )}
            <SideTags
              label={`Labels of ${title.toLowerCase()}`}
              noun="Label"
              example="handler:/checkout"
              tags={side.labels ?? {}}
              onChange={(labels) => compare.changeSide(name, { labels })}
            />
          </div>
        }
      />
      {side.profileId === null ? (
        <Timeline {...{ name, compare, meta, sampleType, window }} />
      ) : (
        <dl className="grid grid-cols-2 gap-4 px-4 pb-4 text-label">
          <div>
            <dt className="text-muted">Profile</dt>
            <dd>
              <Link
                to="/profile/$profileId"
                params={{ profileId: side.profileId }}
                className="font-mono text-accent-text text-code hover:underline"
              >
                {side.profileId.slice(0, 12)}
              </Link>
            </dd>
          </div>
          <div>
            <dt className="text-muted">Started</dt>
            <dd>
              <ExactTime at={side.from} />
              {side.durationMs > 0 && (
                <>
                  {", for "}
                  <Quantity value={durationMsMeasure(side.durationMs)} />
                </>
              )}
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}

function Timeline({ name, compare, meta, sampleType, window }: SideCardProps) {
  const side = meta[name];
  const type = compare.search.type === "wall" ? "wall" : (meta.type as "cpu");
  const query = useQuery(
    seriesQuery({
      service: side.service,
      tab: type,
      sampleType: sampleType === "" ? undefined : sampleType,
      groupBy: undefined,
      bucket: bucketOf(window),
      tags: side.tags,
      labels: side.labels ?? {},
      splitLabel: undefined,
      range: { from: new Date(window.fromMs).toISOString(), to: new Date(window.toMs).toISOString() },
    }),
  );
  const chart = useMemo(
    () => query.data && timedCharts(query.data, { isStacked: false, isChosen: false })[0],
    [query.data],
  );
  return (
    <div className="px-3 pb-2">
      <Panel
        query={query}
        loading={<SkeletonBlocks label="Loading the timeline" count={1} className="h-[162px] w-full" />}
        errorTitle="The timeline could not be read"
      >
        {() =>
          chart === undefined || chart.series.length === 0 ? (
            <p className="grid h-[162px] place-items-center text-center text-muted">
              No profiles around this time.
            </p>
          ) : (
            <TimeSeries
              label={`${chart.title}, range ${name}`}
              timesMs={chart.timesMs}
              bucketMs={chart.bucketMs}
              series={chart.series}
              unit={chart.unit}
              heightPx={heightPx}
              selected={spanOfSide(side)}
              onSelect={(span) =>
                span !== undefined &&
                compare.changeSide(name, {
                  from: new Date(span.fromMs).toISOString(),
                  to: new Date(span.toMs).toISOString(),
                })
              }
              zone={compare.zone}
            />
          )
        }
      </Panel>
    </div>
  );
}
