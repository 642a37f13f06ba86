import type { Analysis } from "@flamekeep/contract";
import { alertMeasure } from "#alert-list/model.ts";
import { percentText } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { FunctionName } from "#ui/content/function-name.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Quantity } from "#ui/content/values.tsx";

type Comparison = NonNullable<Analysis["comparison"]>;

interface ComparisonTableProps {
  readonly comparison: Comparison;
  readonly onFind: (functionName: string) => void;
}

const cell = "px-3 py-1 first:pl-0 last:pr-0";

/** The functions whose values grew between two ranges. Values are of one instance. */
export function ComparisonTable({ comparison, onFind }: ComparisonTableProps) {
  const { functions } = comparison;
  if (functions.length === 0)
    return <p className="mt-4 text-muted">No function grew between the two ranges.</p>;
  return (
    <div className="mt-4 overflow-x-auto">
      <table className={tableClass}>
        <caption className="pb-1 text-left font-medium text-label text-muted">
          Functions that grew, with all they call, of one instance
        </caption>
        <thead>
          <tr>
            <TableHead className="w-full first:pl-0">Function</TableHead>
            <TableHead isNumeric>Before</TableHead>
            <TableHead isNumeric>After</TableHead>
            <TableHead isNumeric className="last:pr-0">
              Of the increase
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {functions.map((each) => (
            <tr key={each.name} className="border-line border-t">
              <td className={`${cell} min-w-40 max-w-0`}>
                <span className="flex min-w-0 items-center gap-2">
                  <FunctionName name={each.name} onFind={onFind} />
                  {each.is_new && <Badge tone="warning">New</Badge>}
                </span>
              </td>
              <td className={`${cell} text-right`}>
                <Quantity value={alertMeasure(comparison, each.total_before)} />
              </td>
              <td className={`${cell} text-right`}>
                <Quantity value={alertMeasure(comparison, each.total_after)} />
              </td>
              <td className={`${cell} text-right`}>{percentText(each.share * 100)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
