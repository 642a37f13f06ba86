import type { ContentionChart } from "@flamekeep/contract";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { useQuery } from "@tanstack/react-query";
import { typeColor } from "#charts/model/colours.ts";
import { durationMsMeasure, measureText } from "#format/measure.ts";
import { percentText, plural } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { AnalysisPanel, type AnalysisProps, AnalysisSection } from "./analysis-panel.tsx";
import { CustomAnalysis } from "./custom-analysis.tsx";
import { GoroutineAnalysis } from "./goroutine-analysis.tsx";
import { contentionQuery } from "./queries.ts";
import { type StackRow, StackRows } from "./stack-rows.tsx";

export function Analysis({ profile, onFind }: AnalysisProps) {
  switch (profile.display_type) {
    case "goroutine":
      return <GoroutineAnalysis profile={profile} onFind={onFind} />;
    case "mutex":
    case "block":
      return <ContentionAnalysis profile={profile} type={profile.display_type} onFind={onFind} />;
    default:
      return <CustomAnalysis profile={profile} onFind={onFind} />;
  }
}

interface ContentionAnalysisProps extends AnalysisProps {
  readonly type: "mutex" | "block";
}

/** Lines of code that waited, or that made others wait, longest total first. */
function ContentionAnalysis({ profile, type, onFind }: ContentionAnalysisProps) {
  const query = useQuery(contentionQuery(profile.profile_id, type));
  return (
    <AnalysisPanel query={query} type={type}>
      {(chart) => (
        <AnalysisSection
          title={chart.stack_side === "holder" ? "Who held the locks" : "Who waited"}
          detail={totalsOf(chart)}
        >
          {chart.call_sites.length === 0 ? (
            <p className="py-8 text-center text-muted">
              {chart.stack_side === "holder" ? "No waits for locks." : "No waits."}
            </p>
          ) : (
            <StackRows
              label="Contended call sites"
              rows={chart.call_sites.map(toRow)}
              total={chart.call_sites_total}
              color={typeColor(type)}
              onFind={onFind}
            />
          )}
        </AnalysisSection>
      )}
    </AnalysisPanel>
  );
}

function totalsOf({ contentions, total_delay_ms, covers, profile }: ContentionChart): string {
  const span =
    covers === "window"
      ? ` in ${measureText(durationMsMeasure(profile.duration_ms))}`
      : " since the process started";
  const waits = plural(contentions, "wait");
  return `${waits}, ${measureText(durationMsMeasure(total_delay_ms))} in total over all goroutines${span}`;
}

function toRow(site: ContentionChart["call_sites"][number], index: number): StackRow {
  return {
    id: String(index),
    at: site.call_site,
    badges: <Badge>{site.kind}</Badge>,
    about: aboutOf(site),
    amount: site.total_delay_ms,
    value: <Quantity value={durationMsMeasure(site.total_delay_ms)} />,
    detail: `${percentText(site.percent)} · ${plural(site.contentions, "wait")} of ${measureText(durationMsMeasure(site.mean_delay_ms))}${site.contentions === 1 ? "" : " on average"}`,
    stack: site.stack,
  };
}

function aboutOf({ holder, operation, stack_count }: ContentionChart["call_sites"][number]): string {
  const stacks = stack_count > 1 ? ` · ${plural(stack_count, "stack")}` : "";
  if (operation === "") return `${holder === null ? "waited" : "held the lock"}${stacks}`;
  const name = shortFunctionName(operation);
  return `${holder === null ? `waited in ${name}` : `held the lock until ${name}`}${stacks}`;
}
