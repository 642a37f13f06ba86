import type { ProfileStatistics } from "@flamekeep/contract";
import { functionKey, functionNames } from "@flamekeep/flame";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import type { SeriesColor } from "#charts/model/colours.ts";
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
            ? `${sampleTypeLabel(stats.sample_type.type)}, self and total`
            : waitLegends[stats.profile_type]}
        </span>
      </div>
      <BarList label="Top functions" rows={rows} />
    </section>
  );
}

const waitLegends: Readonly<Record<string, string>> = {
  goroutine: "where goroutines block or run, and why",
  mutex: "who held the lock, and how it was released",
  block: "who waited, and in what",
};

type Rows = (
  stats: ProfileStatistics,
  color: SeriesColor,
  onFind: TopFunctionsProps["onFind"],
) => readonly BarRow[];

const functionRows: Rows = ({ top_functions, sample_type: { unit } }, color, onFind) =>
  namedRows(top_functions.filter((each) => each.self_value !== 0).slice(0, topCount)).map(
    ({ label, linkText, ...each }, at) => ({
      // Copies of a generic function may have the same readable name.
      id: `${linkText} ${at}`,
      name: <NameWithBadge {...{ label, linkText, onFind }} name={each.name} category={each.category} />,
      amount: Math.abs(each.self_percent),
      value: percentText(each.self_percent),
      detail: (
        <span
          className="@max-sm:hidden"
          title={`${measureText(sampleMeasure(each.cum_value, unit))}, ${percentText(each.cum_percent)}total`}
        >
          {measureText(sampleMeasure(each.self_value, unit))}
          {each.cum_value !== each.self_value && ` of ${measureText(sampleMeasure(each.cum_value, unit))}`}
        </span>
      ),
      color,
    }),
  );

const waitRows: Rows = ({ top_waits, sample_type: { type, unit } }, color, onFind) =>
  namedRows(top_waits ?? []).map(({ label, linkText, name, category, reason, ...wait }) => ({
    id: `${linkText} ${reason}`,
    name: <NameWithBadge {...{ label, linkText, onFind, name, category, reason }} />,
    amount: Math.abs(wait.percent),
    value: percentText(wait.percent),
    detail: <span className="@max-sm:hidden">{measureText(namedSampleMeasure(wait.value, type, unit))}</span>,
    color,
  }));

interface Place {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** The rows with the label of each function, which has its file where two have one name, and the text that links have. */
function namedRows<Row extends Place>(rows: readonly Row[]) {
  const distinct = new Map(rows.map((row) => [functionKey(row.name, row.file, row.line), row]));
  const functions = [...distinct.values()];
  const labels = functionNames({
    name: functions.map(({ name }) => name),
    file: functions.map(({ file }) => file),
    startLine: Int32Array.from(functions, ({ line }) => line),
  });
  const labelOf = new Map([...distinct.keys()].map((key, at) => [key, labels[at]!]));
  return rows.map((row) => {
    const linkText = functionKey(row.name, row.file, row.line);
    return { ...row, linkText, label: labelOf.get(linkText)! };
  });
}

interface NameWithBadgeProps {
  readonly name: string;
  readonly label: string;
  readonly linkText: string;
  readonly category: string;
  readonly reason?: string;
  readonly onFind: (name: string) => void;
}

function NameWithBadge({ category, reason, ...named }: NameWithBadgeProps) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <FunctionName {...named} />
      {reason !== undefined && reason !== "" && <Badge className="bg-surface!">{reason}</Badge>}
      <Badge className="@max-lg:hidden bg-surface!" tone={category === "user_code" ? "accent" : "neutral"}>
        {withSpaces(category)}
      </Badge>
    </span>
  );
}
