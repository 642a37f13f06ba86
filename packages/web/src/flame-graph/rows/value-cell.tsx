import { type CallTree, formatPercent, wholeOf } from "@flamekeep/flame";
import { valueMeasure } from "#flame-graph/frame/frame-text.ts";
import { Quantity } from "#ui/content/values.tsx";
import { cellClass } from "./row-grid.tsx";

/** A value with its share of the whole. */
export function ValueCell({ tree, value }: { readonly tree: CallTree; readonly value: number }) {
  return (
    <td className={cellClass}>
      <Quantity value={valueMeasure(tree, value)} />
      <span className="block text-label text-muted sm:ml-2 sm:inline-block sm:w-12">
        {formatPercent(value, wholeOf(tree))}
      </span>
    </td>
  );
}
