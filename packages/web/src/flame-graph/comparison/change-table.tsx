import { type SearchResult, shownName } from "@flamekeep/flame";
import {
  type ChangeColumn,
  type ComparedTree,
  changeKind,
  functionChanges,
  sortedChanges,
} from "@flamekeep/flame/compare";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { SortHead } from "#flame-graph/table/sort-head.tsx";
import { Badge } from "#ui/content/badge.tsx";
import { cx } from "#ui/cx.ts";
import { changeText, type Scaling } from "./change-text.ts";

interface ChangeTableProps {
  readonly tree: ComparedTree;
  readonly scaling: Scaling;
  /** Node whose subtree is summed. */
  readonly root: number;
  /** With a search only its matches are listed. */
  readonly search: SearchResult | null;
  readonly onPick: (fn: number) => void;
  readonly onPoint: (fn: number) => void;
}

const rowHeightPx = 36;
const columns = [
  { column: "selfBefore", label: "Self before", className: "max-lg:hidden w-32" },
  { column: "selfAfter", label: "Self after", className: "max-lg:hidden w-32" },
  { column: "selfChange", label: "Self change", className: "w-28 sm:w-44" },
  { column: "totalBefore", label: "Total before", className: "max-lg:hidden w-32" },
  { column: "totalAfter", label: "Total after", className: "max-lg:hidden w-32" },
  { column: "totalChange", label: "Total change", className: "w-44 max-sm:hidden" },
] as const;

/** Every function of both sides with its values and changes. Only visible rows are rendered. */
export function ChangeTable({ tree, scaling, root, search, onPick, onPoint }: ChangeTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [sort, setSort] = useState<{ column: ChangeColumn; isDescending: boolean }>({
    column: "selfChange",
    isDescending: true,
  });
  const changes = useMemo(() => functionChanges(tree, root), [tree, root]);
  const functions = useMemo(() => {
    const sorted = sortedChanges(tree, changes, sort);
    return search === null ? sorted : sorted.filter((fn) => search.matches[fn] === 1);
  }, [tree, changes, sort, search]);
  const virtual = useVirtualizer({
    count: functions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const head = { sort, onSort: setSort };
  return (
    <section ref={scroller} aria-label="Functions" className="max-h-[30rem] overflow-auto">
      <table className="w-full table-fixed border-collapse text-left" aria-rowcount={functions.length + 1}>
        <thead className="sticky top-0 z-10 bg-surface-2">
          <tr>
            <SortHead column="name" label="Function" {...head} />
            {columns.map((each) => (
              <SortHead key={each.column} isNumeric {...each} {...head} />
            ))}
          </tr>
        </thead>
        <tbody onPointerLeave={() => onPoint(-1)}>
          {before > 0 && <Spacer heightPx={before} />}
          {items.map((item) => {
            const fn = functions[item.index]!;
            return (
              <tr
                key={item.key}
                aria-rowindex={item.index + 2}
                onPointerEnter={() => onPoint(fn)}
                className="h-9 border-line border-b tabular-nums hover:bg-surface-2"
              >
                <NameCell
                  name={shownName(tree.functions.name[fn]!)}
                  kind={changeKind(changes.totalBefore[fn]!, changes.totalAfter[fn]!)}
                  onPick={() => onPick(fn)}
                />
                <ValueCells
                  scaling={scaling}
                  before={changes.selfBefore[fn]!}
                  after={changes.selfAfter[fn]!}
                />
                <ValueCells
                  scaling={scaling}
                  before={changes.totalBefore[fn]!}
                  after={changes.totalAfter[fn]!}
                  isSecondary
                />
              </tr>
            );
          })}
          {after > 0 && <Spacer heightPx={after} />}
        </tbody>
      </table>
      {functions.length === 0 && <p className="px-4 py-8 text-center text-muted">No functions match</p>}
    </section>
  );
}

interface NameCellProps {
  readonly name: string;
  readonly kind: ReturnType<typeof changeKind>;
  readonly onPick: () => void;
}

function NameCell({ name, kind, onPick }: NameCellProps) {
  return (
    <td className="px-4">
      <span className="flex items-center gap-2">
        {/* Right to left keeps the end of a long name; the inner element keeps its letters in order. */}
        <button
          type="button"
          title={name}
          onClick={onPick}
          className="block min-w-0 truncate text-left font-mono text-code [direction:rtl] hover:text-accent-text hover:underline"
        >
          <bdi dir="ltr">{name}</bdi>
        </button>
        {(kind === "new" || kind === "gone") && <Badge>{kind === "new" ? "New" : "Gone"}</Badge>}
      </span>
    </td>
  );
}

interface ValueCellsProps {
  readonly scaling: Scaling;
  readonly before: number;
  readonly after: number;
  /** Hidden where only one change fits. */
  readonly isSecondary?: boolean;
}

const cell = "px-2 text-right whitespace-nowrap sm:px-4";

function ValueCells({ scaling, before, after, isSecondary = false }: ValueCellsProps) {
  const text = changeText(scaling, before, after, true);
  return (
    <>
      <td className={cx(cell, "max-lg:hidden")}>{text.before}</td>
      <td className={cx(cell, "max-lg:hidden")}>{text.after}</td>
      <td className={cx(cell, isSecondary && "max-sm:hidden")}>
        {text.change}
        <span className="ml-2 inline-block w-14 text-label text-muted max-sm:hidden">
          {isSecondary || isOfBoth(text.percent) ? text.percent : ""}
        </span>
      </td>
    </>
  );
}

/** A function that both sides call can have a self value on one side only: it is neither new nor gone. */
function isOfBoth(percent: string): boolean {
  return percent !== "new" && percent !== "gone";
}

function Spacer({ heightPx }: { readonly heightPx: number }) {
  return (
    <tr aria-hidden>
      {/* One cell: a span over hidden columns would give them a width. */}
      <td style={{ height: heightPx }} />
    </tr>
  );
}
