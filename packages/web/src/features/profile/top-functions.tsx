import type { ProfileStatistics } from "@flamekeep/contract";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import type { SeriesColor } from "#charts/colours.ts";
import { measureText } from "#format/measure.ts";
import { percentText } from "#format/number.ts";
import { namedSampleMeasure, sampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { FunctionName } from "#ui/content/function-name.tsx";
import { withSpaces } from "./model.ts";

const topCount = 5;

interface TopFunctionsProps {
  readonly stats: ProfileStatistics;
  readonly color: SeriesColor;
  readonly onFind: (name: string) => void;
}

/** The functions with the most self value; where goroutines wait, the functions that made them wait. */
export function TopFunctions({ stats, color, onFind }: TopFunctionsProps) {
  const rows = stats.top_waits === null ? functionRows(stats, color, onFind) : waitRows(stats, color, onFind);
  if (rows.length === 0) return <p className="text-muted">No function in this profile has a self value.</p>;
  return (
    <section aria-label="Top functions">
      <div className="mb-2 flex flex-wrap justify-between gap-x-4 text-label text-muted">
        <h3 className="font-medium">Top functions</h3>
        <span>
          {stats.top_waits === null
            ? `${sampleTypeLabel(stats.sample_type.type)}, self and with all it calls`
            : waitLegends[stats.profile_type]}
        </span>
      </div>
      <BarList label="Top functions" rows={rows} />
    </section>
  );
}

const waitLegends: Readonly<Record<string, string>> = {
  goroutine: "where goroutines wait or run, and why",
  mutex: "who held the lock, and how it was released",
  block: "who waited, and in what",
};

type Rows = (
  stats: ProfileStatistics,
  color: SeriesColor,
  onFind: TopFunctionsProps["onFind"],
) => readonly BarRow[];

const functionRows: Rows = ({ top_functions, sample_type: { unit } }, color, onFind) =>
  top_functions
    .filter((each) => each.self_value !== 0)
    .slice(0, topCount)
    .map((each) => ({
      id: each.name,
      name: <NameWithBadge name={each.name} category={each.category} onFind={onFind} />,
      amount: Math.abs(each.self_percent),
      value: percentText(each.self_percent),
      detail: (
        <span
          className="@max-sm:hidden"
          title={`${measureText(sampleMeasure(each.cum_value, unit))}, ${percentText(each.cum_percent)}, with all it calls`}
        >
          {measureText(sampleMeasure(each.self_value, unit))}
          {each.cum_value !== each.self_value && ` of ${measureText(sampleMeasure(each.cum_value, unit))}`}
        </span>
      ),
      color,
    }));

const waitRows: Rows = ({ top_waits, sample_type: { type, unit } }, color, onFind) =>
  (top_waits ?? []).map((wait) => ({
    id: `${wait.name} ${wait.reason}`,
    name: <NameWithBadge name={wait.name} category={wait.category} reason={wait.reason} onFind={onFind} />,
    amount: Math.abs(wait.percent),
    value: percentText(wait.percent),
    detail: <span className="@max-sm:hidden">{measureText(namedSampleMeasure(wait.value, type, unit))}</span>,
    color,
  }));

interface NameWithBadgeProps {
  readonly name: string;
  readonly category: string;
  readonly reason?: string;
  readonly onFind: (name: string) => void;
}

function NameWithBadge({ name, category, reason, onFind }: NameWithBadgeProps) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <FunctionName name={name} onFind={onFind} />
      {reason !== undefined && reason !== "" && <Badge className="bg-surface!">{reason}</Badge>}
      <Badge className="@max-lg:hidden bg-surface!" tone={category === "user_code" ? "accent" : "neutral"}>
        {withSpaces(category)}
      </Badge>
    </span>
  );
}
