import {
  type CallTree,
  fullNames,
  functionNames,
  functionTotals,
  isCut,
  packageSelfValues,
  type SearchResult,
  shownName,
  sortedFunctions,
  type TotalsColumn,
  wholeOf,
} from "@flamekeep/flame";
import { useMemo, useState } from "react";
import { NameText } from "#flame-graph/rows/name-text.tsx";
import { RowGrid, type RowProps, rowClass } from "#flame-graph/rows/row-grid.tsx";
import { TableFilter } from "#flame-graph/rows/table-filter.tsx";
import { useFunctionRows } from "#flame-graph/rows/use-function-rows.ts";
import { ValueCell } from "#flame-graph/rows/value-cell.tsx";
import { SortHead } from "./sort-head.tsx";

interface FunctionTableProps {
  readonly tree: CallTree;
  /** Node whose subtree is summed. */
  readonly root: number;
  /** With a search only its matches are listed. */
  readonly search: SearchResult | null;
  readonly heightPx: number;
  /** The selected function, or -1. */
  readonly selectedFn: number;
  readonly onSelect: (fn: number) => void;
  readonly onPoint: (fn: number) => void;
}

const filterPx = 44;

/** Functions with their self and total values: the flame graph as a table. */
export function FunctionTable(props: FunctionTableProps) {
  const { tree, root, search, heightPx, selectedFn, onSelect, onPoint } = props;
  const [sort, setSort] = useState<{ column: TotalsColumn; isDescending: boolean }>({
    column: "self",
    isDescending: true,
  });
  const totals = useMemo(() => functionTotals(tree, root), [tree, root]);
  const sorted = useMemo(
    () => sortedFunctions(tree, totals, sort.column, sort.isDescending),
    [tree, totals, sort],
  );
  const rows = useFunctionRows({ tree, sorted, search, selectedFn });
  const packages = useMemo(() => packageSelfValues(tree, totals), [tree, totals]);
  const names = functionNames(tree.functions);
  const head = { sort, onSort: setSort };
  return (
    <section aria-label="Functions">
      <TableFilter
        packages={packages}
        whole={wholeOf(tree)}
        value={rows.packageName}
        onChange={rows.setPackageName}
        shown={rows.functions.length}
        all={sorted.length}
        search={search?.query ?? ""}
        isPart={isCut(tree) && totals !== tree.allFrames}
      />
      <RowGrid
        role="grid"
        label="Functions"
        heightPx={heightPx - filterPx}
        count={rows.functions.length}
        cursor={rows.cursor}
        onCursor={rows.setCursor}
        onOpen={(row) => onSelect(rows.functions[row]!)}
        onPoint={(row) => onPoint(row === -1 ? -1 : rows.functions[row]!)}
        emptyText="No functions match"
        head={
          <tr>
            <SortHead column="name" label="Function" {...head} />
            <SortHead column="self" label="Self" isNumeric {...head} />
            <SortHead column="total" label="Total" isNumeric {...head} />
          </tr>
        }
        renderRow={(row, rowProps) => {
          const fn = rows.functions[row]!;
          return (
            <FunctionRow
              {...{ tree, rowProps }}
              name={names[fn]!}
              fullName={shownName(fullNames(tree.functions)[fn]!)}
              isSelected={fn === selectedFn}
              self={totals.self[fn]!}
              total={totals.total[fn]!}
            />
          );
        }}
      />
    </section>
  );
}

interface FunctionRowProps {
  readonly tree: CallTree;
  readonly rowProps: RowProps;
  readonly name: string;
  readonly fullName: string;
  readonly isSelected: boolean;
  readonly self: number;
  readonly total: number;
}

function FunctionRow({ tree, rowProps, name, fullName, isSelected, self, total }: FunctionRowProps) {
  return (
    <tr {...rowProps} aria-selected={isSelected} className={rowClass}>
      <td className="px-4">
        <NameText name={name} fullName={fullName} />
      </td>
      <ValueCell tree={tree} value={self} />
      <ValueCell tree={tree} value={total} />
    </tr>
  );
}
