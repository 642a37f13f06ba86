import type { CustomChart } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { BarList } from "#charts/bar-list.tsx";
import { measureText } from "#format/measure.ts";
import { percentText, plural } from "#format/number.ts";
import { namedSampleMeasure } from "#format/sample-value.ts";
import { Quantity } from "#ui/content/values.tsx";
import { AnalysisPanel, type AnalysisProps, AnalysisSection } from "./analysis-panel.tsx";
import { customQuery } from "./queries.ts";
import { type StackRow, StackRows } from "./stack-rows.tsx";

/** The program's own values by stack and by label. */
export function CustomAnalysis({ profile, onFind }: AnalysisProps) {
  const query = useQuery(customQuery(profile.profile_id));
  return (
    <AnalysisPanel query={query} type="custom">
      {(chart) => (
        <>
          <Totals sampleTypes={chart.sample_types} />
          <AnalysisSection title="By stack" detail={plural(chart.stacks_total, "distinct stack")}>
            <StackRows
              label="Values by stack"
              rows={chart.stacks.map((stack, index) => toRow(chart, stack, index))}
              total={chart.stacks_total}
              color="type-custom"
              onFind={onFind}
            />
          </AnalysisSection>
          <AnalysisSection title="By label" detail={plural(chart.labels_total, "label value")}>
            {chart.labels.length === 0 ? (
              <p className="text-muted">The samples of this profile have no labels.</p>
            ) : (
              <BarList
                label="Values by label"
                rows={chart.labels.map((label) => ({
                  id: `${label.key}\n${label.value}`,
                  name: `${label.key}: ${label.value}`,
                  amount: Math.abs(label.percent),
                  value: mainValue(chart, label.values),
                  detail: percentText(label.percent),
                  color: "type-custom",
                }))}
              />
            )}
          </AnalysisSection>
        </>
      )}
    </AnalysisPanel>
  );
}

function Totals({ sampleTypes }: { readonly sampleTypes: CustomChart["sample_types"] }) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      {sampleTypes.map(({ type, unit, total }) => (
        <div key={`${type}/${unit}`}>
          <dt className="text-label text-muted">{type}</dt>
          <dd className="font-semibold text-page tracking-tight">
            <Quantity value={namedSampleMeasure(total, type, unit)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valuesOf({ sample_types }: CustomChart, values: Readonly<Record<string, number>>): string[] {
  return sample_types.map(({ type, unit }) =>
    measureText(namedSampleMeasure(values[`${type}/${unit}`] ?? 0, type, unit)),
  );
}

/** Shares refer to the last sample type, as in pprof. */
function mainValue(chart: CustomChart, values: Readonly<Record<string, number>>): string {
  return valuesOf(chart, values).at(-1) ?? "N/A";
}

function toRow(chart: CustomChart, stack: CustomChart["stacks"][number], index: number): StackRow {
  return {
    id: String(index),
    at: stack.at,
    badges: null,
    about: valuesOf(chart, stack.values).slice(0, -1).join(", "),
    amount: Math.abs(stack.percent),
    value: mainValue(chart, stack.values),
    detail: percentText(stack.percent),
    stack: stack.stack,
  };
}
