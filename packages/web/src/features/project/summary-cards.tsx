import { displayTypes, type Summary } from "@flamekeep/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import { unitMeasure } from "#charts/model/units.ts";
import { durationMsMeasure, type Measure } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { countMeasure } from "#format/number.ts";
import { exactTime } from "#format/time.ts";
import { cpuNotRecorded } from "#profile-list/cpu-trend.tsx";
import { Empty } from "#project/parts/parts.tsx";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton, SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Stat } from "#ui/content/stat.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { overDays } from "./parts/timeline.ts";

const statsClass = "grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4";
const listsClass = "mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-4";

export function SummaryCards({ query }: { readonly query: UseQueryResult<{ summary: Summary }> }) {
  return (
    <section aria-label="Summary">
      <Panel
        query={query}
        loading={
          <>
            <SkeletonBlocks
              label="Loading summary"
              count={4}
              className="h-27 rounded-card!"
              layoutClass={statsClass}
            />
            <SkeletonBlocks
              label="Loading details"
              count={4}
              className="h-58 rounded-card!"
              layoutClass={listsClass}
            />
            <Skeleton className="mt-2 h-4 w-56" />
          </>
        }
        errorTitle="Failed to load summary data. Please try again later."
        empty={({ summary }) =>
          summary.total_profiles === 0 ? (
            <Card>
              <Empty title="No summary data available">
                <p>No profiles of this service in the selected time range.</p>
              </Empty>
            </Card>
          ) : null
        }
      >
        {({ summary }) => (
          <>
            <Totals summary={summary} />
            <Details summary={summary} />
            <p className="mt-2 text-label text-muted">Data generated at {exactTime(summary.generated_at)}</p>
          </>
        )}
      </Panel>
    </section>
  );
}

function Totals({ summary }: { readonly summary: Summary }) {
  const types = typeCounts(summary).filter(([type, count]) => count > 0 && type !== "metrics");
  const cpu = summary.performance_metrics.cpu?.avg_cpu_percent ?? null;
  return (
    <dl className={statsClass}>
      <Stat
        label="Total Profiles"
        value={countMeasure(profilesIn(summary))}
        detail={overDays(summary.time_range.duration_days)}
      />
      <Stat
        label="Profile Types"
        value={countMeasure(types.length)}
        detail={types.map(([type]) => profileTypeLabel(type)).join(", ")}
      />
      <Stat
        label="Recent Activity"
        value={countMeasure(recentProfiles(summary).last_24_hours)}
        detail="profiles in the last 24h"
      />
      <Stat
        label="Avg CPU Usage"
        value={unitMeasure(cpu, "percent")}
        detail={cpu === null ? withoutCpu(summary) : "100% is one core"}
      />
    </dl>
  );
}

function withoutCpu({ profiles_by_type }: Summary): string {
  return (profiles_by_type.cpu ?? 0) > 0 ? cpuNotRecorded : "no CPU profiles";
}

/** Types in the order of `displayTypes`. The reply leaves out block and custom where there are none. */
function typeCounts({ profiles_by_type }: Summary): [type: string, count: number][] {
  const counts: Partial<Record<string, number>> = profiles_by_type;
  return displayTypes.flatMap((type) => (counts[type] === undefined ? [] : [[type, counts[type]]]));
}

type Row = readonly [label: string, value: Measure];

function Details({ summary }: { readonly summary: Summary }) {
  const { time_range: range, performance_metrics: metrics } = summary;
  const recent = recentProfiles(summary);
  const { cpu, memory } = metrics;
  return (
    <div className={listsClass}>
      <Figures
        title="Profiles by type"
        rows={typeCounts(summary).map(
          ([type, count]): Row => [
            type === "metrics" ? "HTTP metric batches" : profileTypeLabel(type),
            countMeasure(count),
          ],
        )}
      />
      <Figures
        title="Recent activity"
        rows={[
          ["24 hours", countMeasure(recent.last_24_hours)],
          ["7 days", countMeasure(recent.last_7_days)],
          ["30 days", countMeasure(recent.last_30_days)],
        ]}
        note={range.earliest && range.latest && `${exactTime(range.earliest)} to ${exactTime(range.latest)}`}
      />
      {cpu === null && memory === null ? (
        <Card className="grid place-items-center p-4 text-muted sm:col-span-2">
          No performance metrics available
        </Card>
      ) : (
        <Performance metrics={metrics} />
      )}
    </div>
  );
}

/** Of profiles that have them: CPU of CPU profiles, memory of heap profiles. */
function Performance({ metrics: { cpu, memory } }: { readonly metrics: Summary["performance_metrics"] }) {
  const percent = (value: number | undefined) => unitMeasure(value ?? null, "percent");
  const megabytes = (value: number | null | undefined) =>
    unitMeasure(value === null || value === undefined ? null : value * 2 ** 20, "bytes");
  return (
    <>
      <Figures
        title="CPU"
        rows={[
          ["Average", percent(cpu?.avg_cpu_percent)],
          ["95th percentile", percent(cpu?.p95_cpu_percent)],
          ["Peak", percent(cpu?.peak_cpu_percent)],
          ["Average duration", cpu ? durationMsMeasure(cpu.avg_duration_ms) : notAvailable],
          ["Per request", unitMeasure(cpu?.seconds_per_request ?? null, "seconds")],
        ]}
      />
      <Figures
        title="Memory"
        rows={[
          ["Avg heap in use", megabytes(memory?.avg_heap_in_use_mb)],
          ["Peak heap in use", megabytes(memory?.peak_heap_in_use_mb)],
          ["Avg heap alloc", megabytes(memory?.avg_heap_alloc_mb)],
        ]}
        note="Allocated between two profiles"
      />
    </>
  );
}

const notAvailable: Measure = { number: "N/A", unit: "" };

interface FiguresProps {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly note?: string | null | undefined;
}

function Figures({ title, rows, note }: FiguresProps) {
  return (
    <Card className="p-4">
      <h2 className="mb-2 font-medium text-label text-muted">{title}</h2>
      <dl className="flex flex-col gap-1.5">
        {rows.map(([label, value]) => (
          <div key={label} className="flex items-baseline justify-between gap-3">
            <dt>{label}</dt>
            <dd className="font-medium">
              <Quantity value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {note && <p className="mt-2 text-label text-muted">{note}</p>}
    </Card>
  );
}

// A summary counts batches of HTTP metrics as profiles. The app does not: they have no stacks, and every other page counts
// them apart.

/** The profiles of the range. */
function profilesIn({ total_profiles: all, profiles_by_type: byType }: Summary): number {
  return all - (byType.metrics ?? 0);
}

/** The profiles back from now. */
function recentProfiles(summary: Summary): Summary["recent_activity"] {
  const { recent_activity: all, recent_metric_batches: batches } = summary;
  return {
    last_24_hours: all.last_24_hours - batches.last_24_hours,
    last_7_days: all.last_7_days - batches.last_7_days,
    last_30_days: all.last_30_days - batches.last_30_days,
  };
}
