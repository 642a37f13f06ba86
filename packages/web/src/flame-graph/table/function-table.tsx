import {
  type CallTree,
  functionTotals,
  type SearchResult,
  sortedFunctions,
  type TotalsColumn,
} from "@flamekeep/flame";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useIsPhone } from "#ui/hooks/use-media.ts";
import { FunctionRow } from "./function-row.tsx";
import { SortHead } from "./sort-head.tsx";

interface FunctionTableProps {
  readonly tree: CallTree;
  /** Node whose subtree is summed. */
  readonly root: number;
  /** With a search only its matches are listed. */
  readonly search: SearchResult | null;
  readonly heightPx: number;
  readonly onPick: (fn: number) => void;
  readonly onPoint: (fn: number) => void;
}

/** Rows have two lines on phones. */
const rowHeightPx = { wide: 36, phone: 44 };

/** Functions with their self and total values: the flame graph as a table. Only visible rows are rendered. */
export function FunctionTable({ tree, root, search, heightPx, onPick, onPoint }: FunctionTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const [sort, setSort] = useState<{ column: TotalsColumn; isDescending: boolean }>({
    column: "self",
    isDescending: true,
  });
  const totals = useMemo(() => functionTotals(tree, root), [tree, root]);
  const functions = useMemo(() => {
    const sorted = sortedFunctions(tree, totals, sort.column, sort.isDescending);
    return search === null ? sorted : sorted.filter((fn) => search.matches[fn] === 1);
  }, [tree, totals, sort, search]);
  const virtual = useVirtualizer({
    count: functions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? rowHeightPx.phone : rowHeightPx.wide),
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const head = { sort, onSort: setSort };

  return (
    <section ref={scroller} aria-label="Functions" className="overflow-auto" style={{ height: heightPx }}>
      <table className="w-full table-fixed border-collapse text-left" aria-rowcount={functions.length + 1}>
        <thead className="sticky top-0 z-10 bg-surface-2">
          <tr>
            <SortHead column="name" label="Function" {...head} />
            <SortHead column="self" label="Self" isNumeric {...head} />
            <SortHead column="total" label="Total" isNumeric {...head} />
          </tr>
        </thead>
        <tbody onPointerLeave={() => onPoint(-1)}>
          {before > 0 && <Spacer heightPx={before} />}
          {items.map((item) => (
            <FunctionRow
              key={item.key}
              tree={tree}
              fn={functions[item.index]!}
              totals={totals}
              rowIndex={item.index + 2}
              onPick={onPick}
              onPoint={onPoint}
            />
          ))}
          {after > 0 && <Spacer heightPx={after} />}
        </tbody>
      </table>
      {functions.length === 0 && <p className="px-4 py-8 text-center text-muted">No functions match</p>}
    </section>
  );
}

function Spacer({ heightPx }: { readonly heightPx: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={3} style={{ height: heightPx }} />
    </tr>
  );
}
