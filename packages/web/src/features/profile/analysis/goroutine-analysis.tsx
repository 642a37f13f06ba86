import type { GoroutineChart } from "@flamekeep/contract";
import { sinceOf } from "@flamekeep/contract/alert-text";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { useQuery } from "@tanstack/react-query";
import { BeganTime } from "#alert-list/alert-parts.tsx";
import { useWorstAlert } from "#alert-list/use-worst-alert.ts";
import { BarList } from "#charts/bar-list.tsx";
import { durationMsMeasure, measureText } from "#format/measure.ts";
import { exactCount, percentText, plural, wholePercentText } from "#format/number.ts";
import { exactTime, timeBetween } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Badge } from "#ui/content/badge.tsx";
import { AnalysisPanel, type AnalysisProps, AnalysisSection } from "./analysis-panel.tsx";
import { goroutinesQuery } from "./queries.ts";
import { type StackRow, StackRows } from "./stack-rows.tsx";

/** Goroutines by state and by stack, with their growth since the profile before. */
export function GoroutineAnalysis({ profile, onFind }: AnalysisProps) {
  const query = useQuery(goroutinesQuery(profile.profile_id));
  return (
    <AnalysisPanel query={query} type="goroutine">
      {(chart) => (
        <>
          <AnalysisSection title="By state" detail={<Growth chart={chart} />}>
            <BarList
              label="Goroutines by state"
              rows={chart.states.map(({ state, count, percent }) => ({
                id: state,
                name: state,
                amount: count,
                value: plural(count, "goroutine"),
                detail: percentText(percent),
                color: "type-goroutine",
              }))}
            />
          </AnalysisSection>
          <AnalysisSection title="By stack" detail={plural(chart.groups_total, "distinct stack")}>
            <StackRows
              label="Goroutines by stack"
              rows={chart.groups.map(toRow)}
              total={chart.groups_total}
              color="type-goroutine"
              onFind={onFind}
            />
          </AnalysisSection>
        </>
      )}
    </AnalysisPanel>
  );
}

/** The age of the earlier profile counts from this profile, which may be old itself. */
function Growth({ chart }: { readonly chart: GoroutineChart }) {
  const zone = useZone();
  const { previous, total, profile } = chart;
  const counted = plural(total, "goroutine");
  if (previous === null) return <>{counted}; no earlier profile within a day</>;
  const change = total - previous.total;
  const age = timeBetween(previous.timestamp, profile.timestamp);
  const compared =
    change === 0 ? "unchanged for" : `${exactCount(Math.abs(change))} ${change > 0 ? "more" : "fewer"} than`;
  return (
    <>
      {counted}, {compared}{" "}
      <time
        dateTime={previous.timestamp}
        title={exactTime(previous.timestamp, zone)}
        className="whitespace-nowrap"
      >
        {change === 0 ? age : `${age} earlier`}
      </time>
      <GrowthOfAlert profile={profile} />
    </>
  );
}

/** A leak grows little from one profile to the next, so the growth since it began is what counts. */
function GrowthOfAlert({ profile: { service, timestamp } }: Pick<GoroutineChart, "profile">) {
  const alert = useWorstAlert({ service, type: "goroutine" });
  if (alert === undefined || alert.rule || timestamp < sinceOf(alert)) return null;
  const change = wholePercentText(alert.percent_change / 100);
  return (
    <>
      , up {change} since <BeganTime alert={alert} />
    </>
  );
}

function toRow(group: GoroutineChart["groups"][number], index: number): StackRow {
  return {
    id: String(index),
    at: group.at,
    badges: (
      <>
        <Badge>{group.state}</Badge>
        {group.growth !== null && group.growth !== 0 && (
          <Badge
            tone={group.growth > 0 ? "warning" : "ok"}
            title="Change since the earlier profile of the same service and tags"
          >
            {group.growth > 0 ? "+" : "−"}
            {exactCount(Math.abs(group.growth))}
          </Badge>
        )}
      </>
    ),
    about: startedBy(group) + waitOf(group),
    amount: group.count,
    value: plural(group.count, "goroutine"),
    detail: percentText(group.percent),
    stack: group.stack,
  };
}

/** The function that started the goroutines, if the server knows it; otherwise their first function. */
function startedBy({ creator, entry, at }: GoroutineChart["groups"][number]): string {
  if (creator !== null) return `started by ${shortFunctionName(creator)}`;
  if (entry === null || entry.function_name === at?.function_name) return "creator not recorded";
  return `began in ${shortFunctionName(entry.function_name)}`;
}

/** Goroutine dumps record waits from a minute on. */
function waitOf({ count, waiting_time_ms: ms }: GoroutineChart["groups"][number]): string {
  if (ms === null) return "";
  return `, waiting for ${count > 1 ? "up to " : ""}${measureText(durationMsMeasure(ms))}`;
}
