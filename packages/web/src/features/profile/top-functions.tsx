import type { ProfileStatistics } from "@flamekeep/contract";
import { percentText } from "#format/number.ts";
import { sampleMeasure } from "#format/sample-value.ts";
import { Badge } from "#ui/content/badge.tsx";
import { FunctionName, Quantity } from "#ui/content/values.tsx";
import { withSpaces } from "./model.ts";

const topCount = 5;

interface TopFunctionsProps {
  readonly functions: ProfileStatistics["top_functions"];
  readonly unit: string;
  readonly valueName: string;
}

export function TopFunctions({ functions, unit, valueName }: TopFunctionsProps) {
  const shown = functions.filter((each) => each.self_value !== 0).slice(0, topCount);
  if (shown.length === 0) return <p className="text-muted">No function in this profile has a self value.</p>;
  const widest = Math.max(...shown.map((each) => Math.abs(each.self_percent)));
  return (
    <section aria-label="Top functions">
      <div className="mb-2 flex justify-between gap-4 text-label text-muted">
        <h3 className="font-medium">Top functions</h3>
        <span>
          {valueName}, self<span className="max-sm:hidden"> and with all it calls</span>
        </span>
      </div>
      <ol className="flex flex-col gap-1">
        {shown.map((each) => (
          <li
            key={each.name}
            className="relative grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-3 px-2 py-1.5 sm:grid-cols-[minmax(0,1fr)_auto_auto_5rem]"
          >
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 rounded-badge bg-accent/14"
              style={{ width: `${widest > 0 ? (Math.abs(each.self_percent) / widest) * 100 : 0}%` }}
            />
            <span className="relative flex min-w-0 items-center gap-2">
              <FunctionName name={each.name} />
              <Badge
                className="bg-surface! max-sm:hidden"
                tone={each.category === "user_code" ? "accent" : "neutral"}
              >
                {withSpaces(each.category)}
              </Badge>
            </span>
            <span className="relative text-right text-muted" title="Self value">
              <Quantity value={sampleMeasure(each.self_value, unit)} />
            </span>
            <span
              className="relative w-14 text-right font-medium"
              title={`${percentText(each.cum_percent)} with everything it calls`}
            >
              {percentText(each.self_percent)}
            </span>
            <span className="relative text-right text-muted max-sm:hidden" title="With everything it calls">
              <Quantity value={sampleMeasure(each.cum_value, unit)} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
