import {
  fullNames,
  functionNames,
  isCut,
  type PackageSelf,
  packageSelfValues,
  type SearchResult,
  shownName,
} from "@flamekeep/flame";
import {
  type ChangeColumn,
  type ComparedTree,
  changeKind,
  type FunctionChanges,
  functionChanges,
  sortedChanges,
} from "@flamekeep/flame/compare";
import { useMemo, useState } from "react";
import { NameText } from "#flame-graph/rows/name-text.tsx";
import { RowGrid, rowClass } from "#flame-graph/rows/row-grid.tsx";
import { TableFilter } from "#flame-graph/rows/table-filter.tsx";
import { useFunctionRows } from "#flame-graph/rows/use-function-rows.ts";
import { SortHead } from "#flame-graph/table/sort-head.tsx";
import { Badge } from "#ui/content/badge.tsx";
import type { Scaling } from "./change-text.ts";
import { ValueCells } from "./value-cells.tsx";

interface ChangeTableProps {
  readonly tree: ComparedTree;
  readonly scaling: Scaling;
  /** Node whose subtree is summed. */
  readonly root: number;
  /** With a search only its matches are listed. */
  readonly search: SearchResult | null;
  /** The selected function, or -1. */
  readonly selectedFn: number;
  readonly onSelect: (fn: number) => void;
  readonly onPoint: (fn: number) => void;
}

const columns = [
  { column: "selfBefore", label: "Self before", className: "max-xl:hidden w-27" },
  { column: "selfAfter", label: "Self after", className: "max-xl:hidden w-27" },
  { column: "selfChange", label: "Self change", className: "w-30 sm:w-48" },
  { column: "totalBefore", label: "Total before", className: "max-xl:hidden w-27" },
  { column: "totalAfter", label: "Total after", className: "max-xl:hidden w-27" },
  { column: "totalChange", label: "Total change", className: "w-48 max-sm:hidden" },
] as const;

/** Every function of both sides with its values and changes. */
export function ChangeTable({
  tree,
  scaling,
  root,
  search,
  selectedFn,
  onSelect,
  onPoint,
}: ChangeTableProps) {
  const [sort, setSort] = useState<{ column: ChangeColumn; isDescending: boolean }>({
    column: "selfChange",
    isDescending: true,
  });
  const changes = useMemo(() => functionChanges(tree, root), [tree, root]);
  const sorted = useMemo(() => sortedChanges(tree, changes, sort), [tree, changes, sort]);
  const rows = useFunctionRows({ tree, sorted, search, selectedFn });
  const packages = useMemo(() => packagesAfter(tree, changes), [tree, changes]);
  const names = functionNames(tree.functions);
  const head = { sort, onSort: setSort };
  return (
    <section aria-label="Functions">
      <TableFilter
        packages={packages}
        whole={tree.after.total[0]!}
        value={rows.packageName}
        onChange={rows.setPackageName}
        shown={rows.functions.length}
        all={sorted.length}
        search={search?.query ?? ""}
        isPart={isCut(tree) && (root !== 0 || tree.before.allFrames === undefined)}
      />
      <RowGrid
        role="grid"
        label="Functions"
        count={rows.functions.length}
        cursor={rows.cursor}
        onCursor={rows.setCursor}
        onOpen={(row) => onSelect(rows.functions[row]!)}
        onPoint={(row) => onPoint(row === -1 ? -1 : rows.functions[row]!)}
        emptyText="No functions match"
        head={
          <tr>
            <SortHead column="name" label="Function" {...head} />
            {columns.map((each) => (
              <SortHead key={each.column} isNumeric isNarrow {...each} {...head} />
            ))}
          </tr>
        }
        renderRow={(row, rowProps) => {
          const fn = rows.functions[row]!;
          const { selfBefore, selfAfter, totalBefore, totalAfter } = changes;
          return (
            <tr {...rowProps} aria-selected={fn === selectedFn} className={rowClass}>
              <NameCell
                name={names[fn]!}
                fullName={shownName(fullNames(tree.functions)[fn]!)}
                kind={changeKind(totalBefore[fn]!, totalAfter[fn]!)}
              />
              <ValueCells scaling={scaling} before={selfBefore[fn]!} after={selfAfter[fn]!} />
              <ValueCells scaling={scaling} before={totalBefore[fn]!} after={totalAfter[fn]!} isSecondary />
            </tr>
          );
        }}
      />
    </section>
  );
}

/** Packages by their self values after. */
function packagesAfter(
  tree: ComparedTree,
  { selfAfter, totalAfter, frames }: FunctionChanges,
): PackageSelf[] {
  return packageSelfValues(tree, { self: selfAfter, total: totalAfter, frames });
}

interface NameCellProps {
  readonly name: string;
  readonly fullName: string;
  readonly kind: ReturnType<typeof changeKind>;
}

function NameCell({ name, fullName, kind }: NameCellProps) {
  return (
    <td className="px-4">
      <span className="flex items-center gap-2">
        <NameText name={name} fullName={fullName} />
        {(kind === "new" || kind === "gone") && <Badge>{kind === "new" ? "New" : "Gone"}</Badge>}
      </span>
    </td>
  );
}
