import type { CostUnit, GraphType, SharedFunction } from "@flamekeep/contract";
import type { BarRow } from "#charts/bar-list.tsx";
import { type ChartUnit, unitText } from "#charts/model/units.ts";
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
  const unit = units[facts.unit];
  return functions.map((each) => {
    const amount = isSelf ? each.self : each.total;
    return {
      id: each.ref,
      amount,
      name: (
        <>
          <FunctionName name={each.name} />
          <ServiceLinks {...{ type, unit }} found={each} />
        </>
      ),
      detail: (
        <span className="max-sm:hidden">
          {isSelf ? `${unitText(each.total, unit)} with callees, ` : ""}
          {plural(each.services_total, "service")}
        </span>
      ),
      value: unitText(amount, unit),
      color: "series-1",
    };
  });
}

interface ServiceLinksProps {
  readonly type: GraphType;
  readonly unit: ChartUnit;
  readonly found: SharedFunction;
}

/** Each opens the flame graph of a service at the widest place of the function. */
function ServiceLinks({ type, unit, found }: ServiceLinksProps) {
  const others = found.services_total - found.services.length;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-3 text-label text-muted">
      {found.services.map(({ name, total, share }) => (
        <FunctionLink
          key={name}
          {...{ service: name, type, fn: found.ref }}
          title={`${name}: ${unitText(total, unit)}, ${percentText(share * 100)} of its ${profileTypeName(type)}`}
          className="max-w-48 truncate hover:text-accent-text hover:underline"
        >
          {name} {unitText(total, unit)}
        </FunctionLink>
      ))}
      {others > 0 && <span>and {exactCount(others)} more</span>}
    </span>
  );
}
