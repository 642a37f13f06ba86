import {
  type CallTree,
  callRows,
  elisionOf,
  fullNames,
  functionNames,
  hotPath,
  isOpenable,
  openedTo,
  placeOf,
  shownName,
  toggledNode,
  truncatedName,
} from "@flamekeep/flame";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import type { DrawnTree } from "#flame-graph/reading/reading.ts";
import { plural } from "#format/number.ts";
import { cx } from "#ui/cx.ts";
import { NameText } from "./name-text.tsx";
import { type GraphRows, RowGrid, type RowProps, rowClass } from "./row-grid.tsx";

export interface CallTreeProps extends GraphRows {
  /** The selected frame, as in the graph; -1 for none. */
  readonly selected: number;
  readonly onSelect: (node: number) => void;
  /** Zooms to the frame and selects its function. */
  readonly onOpen: (node: number) => void;
}

/** The stacks as rows that open and close: everything that the drawing shows, for people who do not see it. */
export function CallTreeGrid(props: CallTreeProps) {
  const { reading, tree, root, selected, onSelect, onOpen, onPoint } = props;
  const calls = useCallRows(tree, root, selected);
  const { rows, cursor, toggle } = calls;
  const nodeOf = (row: number) => rows.node[row]!;

  function onKey(key: string, row: number): boolean {
    const node = nodeOf(row);
    const state = { isOpenable: calls.isOpenable(node), isOpen: calls.isOpen(node) };
    const action = treeActionOf(key, state);
    if (action === "open") toggle(node, "open");
    if (action === "close") toggle(node, "closed");
    if (action === "open siblings") toggle(node, "siblings open");
    if (action === "to callee") onSelect(frameAt(rows.node, row + 1, 1));
    if (action === "to caller" && node !== root) onSelect(tree.parent[node]!);
    return action !== undefined;
  }

  return (
    <RowGrid
      role="treegrid"
      label="Call tree"
      {...(props.heightPx !== undefined && { heightPx: props.heightPx })}
      count={rows.length}
      cursor={cursor}
      onCursor={(row) => onSelect(frameAt(rows.node, row, row >= cursor ? 1 : -1))}
      onOpen={(row) => nodeOf(row) >= 0 && onOpen(nodeOf(row))}
      onKey={onKey}
      onPoint={(row) => onPoint(row === -1 || nodeOf(row) < 0 ? -1 : tree.fn[nodeOf(row)]!)}
      emptyText="No frames"
      head={
        <tr>
          <th scope="col" className="h-9 px-4 font-medium text-label text-muted">
            Function
          </th>
          {reading.frames.heads.map(({ label, className }) => (
            <th
              key={label}
              scope="col"
              className={cx("h-9 text-right font-medium text-label text-muted", className)}
            >
              {label}
            </th>
          ))}
        </tr>
      }
      renderRow={(row, rowProps) => <CallRow {...props} {...{ calls, row, rowProps }} />}
    />
  );
}

/** The frame of a row, or of the next one in a direction: the keys skip rows of frames that were left out. */
function frameAt(nodes: Int32Array, row: number, step: 1 | -1): number {
  for (let at = row; at >= 0 && at < nodes.length; at += step) if (nodes[at]! >= 0) return nodes[at]!;
  for (let at = row; at >= 0; at--) if (nodes[at]! >= 0) return nodes[at]!;
  return -1;
}

interface CallRowProps extends CallTreeProps {
  readonly calls: ReturnType<typeof useCallRows>;
  readonly row: number;
  readonly rowProps: RowProps;
}

/** Deeper rows are not moved further right, so that their names stay in view. */
const indentedLevelsMax = 24;
const indentClass = "[--indent:3px] sm:[--indent:12px]";

function CallRow(props: CallRowProps) {
  const { reading, tree, calls, row, rowProps, search, selected } = props;
  const node = calls.rows.node[row]!;
  const level = calls.rows.level[row]!;
  const { place, of } = calls.placeOf(node);
  const isOpenable = node >= 0 && calls.isOpenable(node);
  const isOpen = isOpenable && calls.isOpen(node);
  const shared = { ...rowProps, "aria-level": level, "aria-posinset": place, "aria-setsize": of };
  const indent = { paddingLeft: `calc(8px + ${Math.min(level - 1, indentedLevelsMax)} * var(--indent))` };
  if (node < 0) {
    const elision = elisionOf(tree, -1 - node);
    return (
      <tr
        {...shared}
        aria-selected={false}
        className={cx(rowClass, indentClass, "cursor-default! text-muted")}
      >
        <td style={indent}>
          <span className="ml-6 truncate">
            {plural(tree.elisions.count[elision]!, "small frame")} left out
          </span>
        </td>
        {reading.frames.leftOutCells(tree, elision)}
      </tr>
    );
  }
  const fn = tree.fn[node]!;
  const isMatch = search !== null && search.matches[fn] === 1;
  return (
    <tr
      {...shared}
      aria-selected={node === selected}
      {...(isOpenable && { "aria-expanded": isOpen })}
      className={cx(rowClass, indentClass)}
    >
      <td style={indent}>
        <span className="flex min-w-0 items-center gap-1">
          <Toggle
            isOpenable={isOpenable}
            isOpen={isOpen}
            onToggle={() => calls.toggle(node, isOpen ? "closed" : "open")}
          />
          <FrameName tree={tree} node={node} isMatch={isMatch} />
          {level > indentedLevelsMax && <span className="text-label text-muted">level {level}</span>}
        </span>
      </td>
      {reading.frames.cells(tree, node)}
    </tr>
  );
}

function FrameName({ tree, node, isMatch }: { tree: DrawnTree; node: number; isMatch: boolean }) {
  const fn = tree.fn[node]!;
  const fullName = fullNames(tree.functions)[fn]!;
  const isOwn = node === 0 || fullName === truncatedName;
  return (
    <>
      <NameText
        name={node === 0 ? "All stacks" : functionNames(tree.functions)[fn]!}
        fullName={shownName(fullName)}
        className={cx(isMatch && "font-medium text-critical-text", isOwn && "text-muted")}
      />
      {isMatch && <span className="sr-only">, match</span>}
    </>
  );
}

interface ToggleProps {
  readonly isOpenable: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** For the pointer: keys open the row itself. */
function Toggle({ isOpenable, isOpen, onToggle }: ToggleProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  if (!isOpenable) return <span className="w-5 shrink-0" />;
  return (
    <span
      aria-hidden
      data-toggle
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      className="grid h-9 w-5 shrink-0 place-items-center rounded-badge text-muted hover:text-text"
    >
      <Chevron className="size-4" strokeWidth={1.75} />
    </span>
  );
}

interface OpenState {
  readonly tree: CallTree;
  readonly root: number;
  /** The selected node to which the rows were opened. */
  readonly selected: number;
  readonly nodes: ReadonlySet<number>;
}

/** The rows of a call tree, opened along its hot path at first and down to each newly selected node. */
function useCallRows(tree: CallTree, root: number, selected: number) {
  const [state, setState] = useState<OpenState>(() => initial(tree, root));
  let current = state.tree === tree && state.root === root ? state : initial(tree, root);
  if (current.selected !== selected) {
    const nodes = selected === -1 ? current.nodes : openedTo(tree, current.nodes, root, selected);
    current = { ...current, selected, nodes };
  }
  if (current !== state) setState(current);
  const open = current.nodes;
  const rows = useMemo(() => callRows(tree, root, open), [tree, root, open]);
  const cursor = useMemo(() => (selected === -1 ? -1 : rows.node.indexOf(selected)), [rows, selected]);
  return {
    rows,
    cursor,
    isOpen: (node: number) => open.has(node),
    isOpenable: (node: number) => isOpenable(tree, node),
    placeOf: (node: number) => placeOf(tree, root, node),
    toggle: (node: number, to: "open" | "closed" | "siblings open") =>
      setState({ ...current, nodes: toggledNode(tree, open, node, to) }),
  };
}

function initial(tree: CallTree, root: number): OpenState {
  return { tree, root, selected: -1, nodes: new Set(hotPath(tree, root)) };
}

type TreeAction = "open" | "close" | "to callee" | "to caller" | "open siblings" | "nothing";

/** The action of a key on a row of a tree grid; undefined for keys that are not the tree's. */
function treeActionOf(
  key: string,
  { isOpenable, isOpen }: { readonly isOpenable: boolean; readonly isOpen: boolean },
): TreeAction | undefined {
  switch (key) {
    case "ArrowRight":
      if (!isOpenable) return "nothing";
      return isOpen ? "to callee" : "open";
    case "ArrowLeft":
      return isOpenable && isOpen ? "close" : "to caller";
    case "*":
      return "open siblings";
    default:
      return undefined;
  }
}
