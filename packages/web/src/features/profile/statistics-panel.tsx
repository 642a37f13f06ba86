import {
  type FunctionGrouping,
  findProfileType,
  type Profile,
  type ProfileStatistics,
  profileTypeEntry,
} from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Braces, ChartBar } from "lucide-react";
import { typeColor } from "#charts/model/colours.ts";
import { Grouping } from "#flame-graph/toolbar/grouping.tsx";
import { coresMeasure, type Measure, measureText, threeDigits } from "#format/measure.ts";
import { capitalized, profileTypeLabel } from "#format/names.ts";
import { countMeasure, percentText, plural } from "#format/number.ts";
import { sampleMeasure } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Menu } from "#ui/controls/menu.tsx";
import { spacedDuration, withSpaces } from "./model.ts";
import { statisticsQuery } from "./queries.ts";
import { TopFunctions } from "./top-functions.tsx";

interface StatisticsPanelProps {
  readonly profile: Profile;
  /** Finds a function in the flame graph. */
  readonly onFind: (name: string) => void;
  /** Whether the copies of a generic function are one. */
  readonly grouping: FunctionGrouping;
  readonly onGroupingChange: (grouping: FunctionGrouping) => void;
}

export function StatisticsPanel({ profile, grouping, ...actions }: StatisticsPanelProps) {
  const query = useQuery(statisticsQuery(profile.profile_id, grouping));
  return (
    <Card className="@container flex min-w-0 flex-col">
      <Panel
        query={query}
        loading={<StatisticsSkeleton />}
        errorTitle="Failed to load detailed statistics"
        empty={(stats) => (stats.statistics === null ? <NoStatistics profile={profile} /> : null)}
      >
        {(stats) => <Statistics {...{ stats, grouping }} {...actions} displayType={profile.display_type} />}
      </Panel>
    </Card>
  );
}

interface StatisticsProps extends Omit<StatisticsPanelProps, "profile"> {
  readonly stats: ProfileStatistics;
  readonly displayType: Profile["display_type"];
}

function Statistics({ stats, displayType, grouping, onFind, onGroupingChange }: StatisticsProps) {
  const { statistics, context } = stats;
  const facts = [context.go_version, context.framework, context.platform].filter((fact) => fact !== null);
  return (
    <>
      <CardHeader
        title="Statistics"
        detail={
          <>
            {profileTypeLabel(displayType)} · {countedText(stats)} ·{" "}
            {stats.duration === "unknown"
              ? withoutDuration(displayType, stats)
              : `duration ${spacedDuration(stats.duration)}`}
          </>
        }
        actions={
          <span className="flex flex-wrap items-center gap-1">
            {facts.map((fact) => (
              <Badge key={fact}>{fact}</Badge>
            ))}
            <Menu
              trigger={
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label="Functions of the statistics"
                  title="Functions"
                >
                  <Braces aria-hidden className="size-4" strokeWidth={1.75} />
                </Button>
              }
            >
              <Grouping grouping={grouping} options={["instantiation"]} onChange={onGroupingChange} />
            </Menu>
          </span>
        }
      />
      {statistics && (
        <dl className="grid grid-cols-2 gap-px border-line border-y bg-line @md:grid-cols-3 @3xl:grid-cols-6">
          <Figure label="Unique functions" value={countMeasure(statistics.unique_functions)} />
          <Figure label="Unique locations" value={countMeasure(statistics.unique_locations)} />
          <Figure label="Max stack depth" value={countMeasure(statistics.max_stack_depth)} />
          <Figure
            label="Avg stack depth"
            value={{ number: threeDigits(statistics.avg_stack_depth), unit: "" }}
          />
          <Figure label="Hot paths" value={countMeasure(statistics.hot_path_count)} />
          {stats.cpu_stats ? (
            <Figure label="CPU" {...cpuFigure(stats.cpu_stats)} />
          ) : (
            <Figure label={capitalized(`${countedName(stats)}s`)} value={countMeasure(stats.sample_count)} />
          )}
        </dl>
      )}
      <div className="p-4">
        <TopFunctions stats={stats} color={typeColor(displayType)} onFind={onFind} />
        {stats.call_patterns.length > 0 && (
          <p className="mt-4 flex flex-wrap items-center gap-1.5 text-label text-muted">
            Call patterns
            {stats.call_patterns.map((pattern) => (
              <Badge key={pattern}>{withSpaces(pattern)}</Badge>
            ))}
          </p>
        )}
      </div>
    </>
  );
}

type CpuStats = NonNullable<ProfileStatistics["cpu_stats"]>;

function cpuFigure({ cpu_percent: percent, cpu_time_ns: timeNs }: CpuStats): Omit<FigureProps, "label"> {
  const notAvailable = { number: "N/A", unit: "" };
  if (timeNs === null) return { value: notAvailable, note: "samples without a period" };
  const time = measureText(sampleMeasure(timeNs, "nanoseconds"));
  if (percent === null) return { value: notAvailable, note: `${time} without a duration` };
  return {
    value: coresMeasure(percent / 100),
    detail: `${percentText(percent)} of one core, ${time} of CPU time`,
  };
}

/** The time that the values of a profile without a duration cover. */
function withoutDuration(displayType: Profile["display_type"], { sample_type }: ProfileStatistics): string {
  const { kind } = profileTypeEntry(displayType);
  if (kind === "gauge" || (kind === "counter" && sample_type.type.startsWith("inuse")))
    return "at one moment";
  return kind === "counter" ? "since the process started" : "duration not recorded";
}

/** The noun for one sample of the type. */
function countedName({ profile_type }: ProfileStatistics): string {
  return findProfileType(profile_type)?.sample ?? "sample";
}

function countedText(stats: ProfileStatistics): string {
  const count = measureText(countMeasure(stats.sample_count));
  return `${count} ${countedName(stats)}${stats.sample_count === 1 ? "" : "s"}`;
}

interface FigureProps {
  readonly label: string;
  readonly value: Measure;
  readonly detail?: string;
  /** Shown below the value. */
  readonly note?: string;
}

function Figure({ label, value, detail, note }: FigureProps) {
  return (
    <div className="bg-surface px-4 py-3" title={detail}>
      <dt className="truncate text-label text-muted">{label}</dt>
      <dd className="mt-0.5 font-semibold text-page tracking-tight">
        <Quantity value={value} />
      </dd>
      {note !== undefined && <dd className="text-label text-muted">{note}</dd>}
    </div>
  );
}

function NoStatistics({ profile }: { readonly profile: Profile }) {
  const requests = profile.statistics?.total_samples ?? 0;
  return (
    <Message icon={ChartBar} title="Statistics not yet available for this profile">
      {profile.type === "metrics" && (
        <p>
          {plural(requests, "HTTP request")}. See {requests === 1 ? "it" : "them"} under HTTP performance.
        </p>
      )}
    </Message>
  );
}

function StatisticsSkeleton() {
  return (
    <div role="status" aria-label="Loading statistics" className="flex flex-col gap-4 p-4">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-16 w-full" />
      {["w-full", "w-4/5", "w-3/5", "w-2/5", "w-1/3"].map((width) => (
        <Skeleton key={width} className={`h-6 ${width}`} />
      ))}
    </div>
  );
}
