import { type CallTree, type FunctionTotals, formatPercent, shownName, wholeOf } from "@flamekeep/flame";
import { valueMeasure } from "#flame-graph/frame/frame-text.ts";
import { Quantity } from "#ui/content/values.tsx";

interface FunctionRowProps {
  readonly tree: CallTree;
  readonly fn: number;
  readonly totals: FunctionTotals;
  readonly rowIndex: number;
  readonly onPick: (fn: number) => void;
  readonly onPoint: (fn: number) => void;
}

export function FunctionRow({ tree, fn, totals, rowIndex, onPick, onPoint }: FunctionRowProps) {
  const name = shownName(tree.functions.name[fn]!);
  return (
    <tr
      aria-rowindex={rowIndex}
      onPointerEnter={() => onPoint(fn)}
      className="h-11 border-line border-b hover:bg-surface-2 sm:h-9"
    >
      <td className="px-4">
        {/* Right to left keeps the end of a long name; the inner element keeps its letters in order. */}
        <button
          type="button"
          title={name}
          onClick={() => onPick(fn)}
          className="block w-full truncate text-left font-mono text-code hover:text-accent-text hover:underline [direction:rtl]"
        >
          <bdi dir="ltr">{name}</bdi>
        </button>
      </td>
      <ValueCell tree={tree} value={totals.self[fn]!} />
      <ValueCell tree={tree} value={totals.total[fn]!} />
    </tr>
  );
}

function ValueCell({ tree, value }: { readonly tree: CallTree; readonly value: number }) {
  return (
    <td className="px-2 text-right whitespace-nowrap sm:px-4">
      <Quantity value={valueMeasure(tree, value)} />
      <span className="block text-label text-muted sm:ml-2 sm:inline-block sm:w-12">
        {formatPercent(value, wholeOf(tree))}
      </span>
    </td>
  );
}
