import { type Analysis, functionLink } from "@flamekeep/contract";
import { useState } from "react";
import { alertMeasure } from "#alert-list/values.ts";
import { measureText } from "#format/measure.ts";
import { percentText, wholePercentText } from "#format/number.ts";
import { namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { FunctionName } from "#ui/content/function-name.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Quantity } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { TabCount } from "#ui/controls/tabs.tsx";
import { AskPanel } from "./ask-panel.tsx";
import { type CompletedAnalysisProps, Recommendations } from "./completed-analysis.tsx";
import { AboutAnalysis } from "./summary-tab.tsx";

/** A completed analysis of two ranges: what changed, then what to do. */
export function ComparedAnalysis({ analysis, onFind, onFeedback }: CompletedAnalysisProps) {
  const { comparison, recommendations } = analysis;
  return (
    <>
      {comparison !== null && (
        <section aria-labelledby="what-changed" className="px-4 pb-3">
          <h3 id="what-changed" className="font-semibold">
            What changed
          </h3>
          <p className="mt-0.5">{comparisonSentence(comparison)}</p>
          <ComparisonTable
            comparison={comparison}
            onFind={(name) => onFind(name, comparison.sample_type.split("/")[0])}
          />
        </section>
      )}
      <section aria-labelledby="what-to-do" className="border-line border-t">
        <h3 id="what-to-do" className="flex items-center gap-2 px-4 pt-3 font-semibold">
          What to do
          <TabCount value={String(recommendations.length)} />
        </h3>
        <Recommendations analysis={analysis} onFind={onFind} onFeedback={onFeedback} />
      </section>
      <div className="border-line border-t px-4 py-3">
        <AboutAnalysis analysis={analysis} />
      </div>
      {analysis.can_ask && <AskPanel analysis={analysis} />}
    </>
  );
}

interface ComparisonTableProps {
  readonly comparison: Comparison;
  readonly onFind: (functionName: string) => void;
}

/** Functions that are listed at first, so that the advice below them is in view. */
const listedAtFirst = 5;

const cell = "px-3 py-1 first:pl-0 last:pr-0";

/** The functions whose self values grew between two ranges, largest growth first. Values are of one instance. */
function ComparisonTable({ comparison, onFind }: ComparisonTableProps) {
  const { functions } = comparison;
  const [isWhole, setIsWhole] = useState(false);
  if (functions.length === 0) return <p className="text-muted">No function grew between the two ranges.</p>;
  return (
    <div className="overflow-x-auto">
      <table className={tableClass}>
        <caption className="sr-only">Functions that grew: self values per instance</caption>
        <thead>
          <tr>
            <TableHead className="w-full pl-0!">Function, self</TableHead>
            <TableHead isNumeric>Before</TableHead>
            <TableHead isNumeric>After</TableHead>
            <TableHead isNumeric className="pr-0! max-sm:hidden">
              Of the increase
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {functions.slice(0, isWhole ? undefined : listedAtFirst).map((each) => (
            <tr key={functionLink(each)} className="border-line border-t">
              <td className={`${cell} min-w-28 max-w-0`}>
                <span className="flex min-w-0 items-center gap-2">
                  <FunctionName name={each.name} linkText={functionLink(each)} onFind={onFind} />
                  {each.is_new && <Badge tone="warning">New</Badge>}
                </span>
              </td>
              <td className={`${cell} whitespace-nowrap text-right`}>
                <Quantity value={alertMeasure(comparison, each.self_before)} />
              </td>
              <td className={`${cell} whitespace-nowrap text-right`}>
                <Quantity value={alertMeasure(comparison, each.self_after)} />
              </td>
              <td className={`${cell} text-right max-sm:hidden`}>{percentText(each.share * 100)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && functions.length > listedAtFirst && (
        <Button size="sm" variant="ghost" className="-ml-2 mt-1" onClick={() => setIsWhole(true)}>
          Show all {functions.length}
        </Button>
      )}
    </div>
  );
}

type Comparison = NonNullable<Analysis["comparison"]>;

/** A smaller change counts as none. */
const changeMin = 0.005;

/** `CPU time of one instance rose by 69%, from 0.411 cores to 0.696 cores; per request from 3.12 ms to 5.23 ms.` */
export function comparisonSentence(comparison: Comparison): string {
  const { sample_type: sampleType, before, after, increase } = comparison;
  const [type = "", unit = ""] = sampleType.split("/");
  const name = `${sampleTypeLabel(type)} of one instance`;
  const value = (perSecond: number) => measureText(alertMeasure(comparison, perSecond));
  const perRequest = (amount: number) => measureText(namedSampleMeasure(amount, type, unit));
  if (increase === null) return `${name} is ${value(after.per_second)}. The other range has none.`;
  const isSteady = Math.abs(increase) < changeMin;
  const both = (first: string, last: string) =>
    isSteady ? `${first} before, ${last} after` : `from ${first} to ${last}`;
  const requests =
    before.per_request === null || after.per_request === null
      ? ""
      : `; per request ${both(perRequest(before.per_request), perRequest(after.per_request))}`;
  const change = isSteady ? "hardly changed:" : `${changeText(increase)},`;
  return `${name} ${change} ${both(value(before.per_second), value(after.per_second))}${requests}.`;
}

function changeText(increase: number): string {
  return `${increase > 0 ? "rose" : "fell"} by ${wholePercentText(Math.abs(increase))}`;
}
