import type { CostUnit, GraphType, SharedFunction } from "@flamekeep/contract";
import type { BarRow } from "#charts/bar-list.tsx";
import { type ChartUnit, columnTextOf } from "#charts/model/units.ts";
import { profileTypeName } from "#format/names.ts";
import { exactCount, percentText, plural } from "#format/number.ts";
import { FunctionName } from "#ui/content/function-name.tsx";
import { FunctionLink } from "./function-link.tsx";

const units = {
  cores: "cores",
  seconds_per_second: "seconds",
  bytes: "bytes",
  bytes_per_second: "bytesPerSecond",
  count: "count",
  per_second: "perSecond",
} as const satisfies Record<CostUnit, ChartUnit>;

const ownFunctionsShown = 5;

/** The first functions of the services' own code, as ranked by the reply. */
export function ownFunctions(functions: readonly SharedFunction[]): SharedFunction[] {
  return functions.filter(({ category }) => category === "user_code").slice(0, ownFunctionsShown);
}

interface RowFacts {
  readonly type: GraphType;
  readonly unit: CostUnit;
  /** Whether the rows are by self value, instead of by total. */
  readonly isSelf: boolean;
}

/** Functions of several services, each with links to the flame graphs of its services. */
export function functionRows(functions: readonly SharedFunction[], facts: RowFacts): BarRow[] {
  const { type, isSelf } = facts;
  const totals = functions.map(({ total }) => total);
  const textOf = columnTextOf(totals, units[facts.unit]);
  return functions.map((each) => {
    const amount = isSelf ? each.self : each.total;
    return {
      id: each.ref,
      amount,
      name: (
        <>
          <FunctionName name={each.name} />
          <ServiceLinks {...{ type, textOf }} found={each} />
        </>
      ),
      detail: (
        <span className="max-sm:hidden">
          {isSelf ? `${textOf(each.total)} with callees, ` : ""}
          {plural(each.services_total, "service")}
        </span>
      ),
      value: textOf(amount),
      color: "series-1",
    };
  });
}

interface ServiceLinksProps {
  readonly type: GraphType;
  readonly textOf: (value: number) => string;
  readonly found: SharedFunction;
}

/** Each opens the flame graph of a service at the widest place of the function. */
function ServiceLinks({ type, textOf, found }: ServiceLinksProps) {
  const others = found.services_total - found.services.length;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-3 text-label text-muted">
      {found.services.map(({ name, total, share }) => (
        <FunctionLink
          key={name}
          {...{ service: name, type, fn: found.ref }}
          title={`${name}: ${textOf(total)}, ${percentText(share * 100)} of its ${profileTypeName(type)}`}
          className="max-w-48 truncate hover:text-accent-text hover:underline"
        >
          {name} {textOf(total)}
        </FunctionLink>
      ))}
      {others > 0 && <span>and {exactCount(others)} more</span>}
    </span>
  );
}
