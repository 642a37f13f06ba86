import { formatPercent, fullNames, functionNames, type PackageSelf, shownName } from "@flamekeep/flame";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useState } from "react";
import type { DrawnTree, FunctionRows } from "#flame-graph/reading/reading.ts";
import { exactCount, listedText } from "#format/number.ts";
import { Select } from "#ui/controls/select.tsx";
import { cx } from "#ui/cx.ts";
import { NameText } from "./name-text.tsx";
import { type GraphRows, RowGrid, rowClass } from "./row-grid.tsx";

/** Sums the functions below the root. With a search only its matches are listed. */
export interface FunctionTableProps extends GraphRows {
  /** The selected function, or -1. */
  readonly selectedFn: number;
  readonly onSelect: (fn: number) => void;
}

const filterPx = 44;

/** The graph as a table: functions with their values. */
export function FunctionTable(props: FunctionTableProps) {
  const { reading, tree, root, search, heightPx, selectedFn, onSelect, onPoint } = props;
  const { functions: columns } = reading;
  const values = useMemo(() => columns.rowsOf(tree, root), [columns, tree, root]);
  const [sort, setSort] = useState<Sort>(() => ({ head: values.firstSort(selectedFn), isDescending: true }));
  const sorted = useMemo(() => values.sorted(sort.head, sort.isDescending), [values, sort]);
  const rows = useShownFunctions(props, sorted);
  const head = { sort, onSort: setSort, isNarrow: reading.isCompared };
  return (
    <section aria-label="Functions">
      <TableFilter
        {...values}
        value={rows.packageName}
        onChange={rows.setPackageName}
        shown={rows.functions.length}
        all={sorted.length}
        search={search?.query ?? ""}
      />
      <RowGrid
        role="grid"
        label="Functions"
        {...(heightPx !== undefined && { heightPx: heightPx - filterPx })}
        count={rows.functions.length}
        cursor={rows.cursor}
        onCursor={rows.setCursor}
        onOpen={(row) => onSelect(rows.functions[row]!)}
        onPoint={(row) => onPoint(row === -1 ? -1 : rows.functions[row]!)}
        emptyText="No functions match"
        head={
          <tr>
            <SortHead at={-1} label="Function" {...head} />
            {columns.heads.map((each, at) => (
              <SortHead key={each.label} at={at} {...each} {...head} />
            ))}
          </tr>
        }
        renderRow={(row, rowProps) => {
          const fn = rows.functions[row]!;
          return (
            <tr {...rowProps} aria-selected={fn === selectedFn} className={rowClass}>
              <NameCell tree={tree} fn={fn} values={values} />
              {values.cells(fn)}
            </tr>
          );
        }}
      />
    </section>
  );
}

/** The sorted functions that search and package leave, and the row that the keys are at: at first, the selected function's. */
function useShownFunctions(
  { tree, search, selectedFn }: Pick<FunctionTableProps, "tree" | "search" | "selectedFn">,
  sorted: Uint32Array,
) {
  const [packageName, setPackageName] = useState("");
  const functions = useMemo(() => {
    const { functions: table } = tree;
    if (search === null && packageName === "") return sorted;
    return sorted.filter(
      (fn) =>
        (search === null || search.matches[fn] === 1) &&
        (packageName === "" || table.packageName[fn] === packageName),
    );
  }, [tree, sorted, search, packageName]);
  const [atFn, setAtFn] = useState(selectedFn);
  const [lastSelected, setLastSelected] = useState(selectedFn);
  if (lastSelected !== selectedFn) {
    setLastSelected(selectedFn);
    setAtFn(selectedFn);
  }
  const cursor = useMemo(() => functions.indexOf(atFn), [functions, atFn]);
  return {
    functions,
    packageName,
    setPackageName,
    cursor,
    setCursor: (row: number) => setAtFn(functions[row] ?? -1),
  };
}

interface NameCellProps {
  readonly tree: DrawnTree;
  readonly fn: number;
  readonly values: FunctionRows;
}

function NameCell({ tree: { functions }, fn, values }: NameCellProps) {
  const badge = values.badge?.(fn);
  const name = (
    <NameText name={functionNames(functions)[fn]!} fullName={shownName(fullNames(functions)[fn]!)} />
  );
  return (
    <td className="px-4">
      {badge ? (
        <span className="flex items-center gap-2">
          {name}
          {badge}
        </span>
      ) : (
        name
      )}
    </td>
  );
}

interface Sort {
  /** Index of the head, or -1 for the names. */
  readonly head: number;
  readonly isDescending: boolean;
}

interface SortHeadProps {
  readonly at: number;
  readonly label: string;
  readonly className?: string;
  /** Above the cells of many columns. */
  readonly isNarrow: boolean;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** A column's heading; numbers sort largest first, names from A. */
function SortHead({ at, label, className, isNarrow, sort, onSort }: SortHeadProps) {
  const isNumeric = at !== -1;
  const isSorted = sort.head === at;
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : "none"}
      className={cx("h-9 font-medium text-label", isNumeric && cx("group text-right", className))}
    >
      <button
        type="button"
        onClick={() => onSort({ head: at, isDescending: isSorted ? !sort.isDescending : isNumeric })}
        className={cx(
          "inline-flex h-9 items-center gap-1 hover:text-text",
          isSorted ? "text-text" : "text-muted",
          isNumeric ? "flex-row-reverse px-2" : "px-4",
          isNumeric && (isNarrow ? "sm:px-2.5 sm:group-last:pr-4" : "sm:px-4"),
        )}
      >
        {label}
        {isSorted && <Arrow aria-hidden className="size-3.5" />}
      </button>
    </th>
  );
}

interface TableFilterProps {
  readonly packages: readonly PackageSelf[];
  readonly whole: number;
  /** Empty for all. */
  readonly value: string;
  readonly onChange: (packageName: string) => void;
  readonly shown: number;
  readonly all: number;
  /** The text of the search, which filters too. */
  readonly search: string;
  /** Whether the sums are without the frames that the server left out. */
  readonly isPart: boolean;
}

const packagesMax = 200;

/** Limits a table to a package, and says how many functions it and the search leave. */
function TableFilter({ packages, whole, value, onChange, shown, all, search, isPart }: TableFilterProps) {
  const listed = packages.slice(0, packagesMax);
  if (value !== "" && listed.every(({ packageName }) => packageName !== value))
    listed.push({ packageName: value, self: 0 });
  const options = listed.map(({ packageName, self }) => ({
    value: packageName,
    label: `${shownName(packageName)} · ${formatPercent(self, whole)} self`,
  }));
  return (
    <div className="flex h-11 items-center gap-3 border-line border-b px-4">
      <Select
        label="Package"
        size="sm"
        value={value}
        options={[{ value: "", label: `All packages (${exactCount(packages.length)})` }, ...options]}
        onChange={onChange}
        className="min-w-0 max-w-72"
      />
      <p role="status" className="min-w-0 truncate text-label text-muted">
        {listedText(shown, all, "function")}
        {search !== "" && ` match ${shownName(search)}`}
        {isPart && <span className="text-warning-text"> · small frames left out are not counted</span>}
      </p>
    </div>
  );
}
