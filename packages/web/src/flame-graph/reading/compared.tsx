import {
  type CallTree,
  elisionOf,
  type FunctionColumn,
  type FunctionTotals,
  layOut,
  packageSelfValues,
  sortedFunctions,
  totalsByColumn,
} from "@flamekeep/flame";
import {
  type ChangeColouring,
  changeKind,
  changePalette,
  selfChangeColours,
  totalChangeColours,
} from "@flamekeep/flame/compare";
import { exactCount } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { cx } from "#ui/cx.ts";
import { SelfLegend, TotalLegend } from "./change-legend.tsx";
import {
  changeSentence,
  changeSums,
  changeText,
  changeTooltip,
  frameName,
  matchedShares,
  type Scaling,
  sideTotal,
  wholeLayout,
} from "./change-text.ts";
import { Fact, factClass } from "./fact.tsx";
import { type FrameDetails, type FunctionRows, lacksFrames, type Reading, type Side } from "./reading.ts";
import { comparisonNotice, comparisonSummary } from "./summary.ts";

/** How the frames of a comparison are coloured. */
export interface Colouring {
  readonly by: ChangeColouring;
  /** Self values of types that wait belong to the function that waits. */
  readonly profileType: string;
}

/** A comparison: a value before and after, and the change. */
export function comparedReading(scaling: Scaling, { by, profileType }: Colouring): Reading {
  const { scale } = scaling;
  const isRelative = scaling.changeUnit !== undefined;
  return {
    label: "Comparison",
    isCompared: true,
    drawn: (comparison) => wholeLayout(comparison, scale),
    sides: [sideOf(scaling, "before", 0), sideOf(scaling, "after", 1)],
    colours: {
      lookOf: (tree) => ({
        paletteOf: changePalette,
        colourOf: by === "self" ? selfChangeColours(tree, profileType) : totalChangeColours(tree),
      }),
      legendOf: (tree) =>
        by === "self" ? (
          <SelfLegend {...{ tree, scaling, profileType }} />
        ) : (
          <TotalLegend isRelative={isRelative} />
        ),
    },
    sentences: {
      frame: (tree, node) => changeSentence(tree, scaling, node),
      tooltip: (tree, node) => changeTooltip(tree, scaling, node),
      spoken: (tree, node) => changeTooltip(tree, scaling, node),
      sums: (tree, fn) => changeSums(tree, scaling, fn),
      share: (source, _, { values }) => matchedShares(source, values),
      summary: comparisonSummary,
      notice: comparisonNotice,
    },
    detailsOf: (tree, node, isElided) =>
      isElided ? elidedDetails(tree, scaling, node) : frameDetails(tree, scaling, node),
    functions: {
      heads: changeColumns,
      rowsOf: (tree, root) => functionRows(tree, scaling, root),
    },
    frames: {
      heads: [
        { label: "Before", className: "@max-4xl/rows:hidden w-27 px-2.5" },
        { label: "After", className: "@max-4xl/rows:hidden w-27 px-2.5" },
        { label: "Change", className: "w-30 px-2 @lg/rows:w-48 sm:pr-4 sm:pl-2.5" },
      ],
      cells: ({ columns: [before, after] }, node) => (
        <ChangeCells scaling={scaling} before={before!.total[node]!} after={after!.total[node]!} />
      ),
      // Their widths have both sides in one.
      leftOutCells: () => <td colSpan={3} />,
    },
  };
}

function sideOf(scaling: Scaling, name: "before" | "after", side: number): Side {
  return {
    name,
    title: name === "before" ? "Before" : "After",
    drawn: (comparison) => layOut(comparison, scaling.scale, side),
    total: (tree) => sideTotal(tree, scaling, side),
  };
}

const changeColumns: readonly {
  readonly label: string;
  readonly className: string;
  readonly column: FunctionColumn;
}[] = [
  { column: { value: "self", of: 0 }, label: "Self before", className: "@max-4xl/rows:hidden w-27" },
  { column: { value: "self", of: 1 }, label: "Self after", className: "@max-4xl/rows:hidden w-27" },
  { column: { value: "self", of: 1, minus: 0 }, label: "Self change", className: "w-30 @lg/rows:w-48" },
  { column: { value: "total", of: 0 }, label: "Total before", className: "@max-4xl/rows:hidden w-27" },
  { column: { value: "total", of: 1 }, label: "Total after", className: "@max-4xl/rows:hidden w-27" },
  {
    column: { value: "total", of: 1, minus: 0 },
    label: "Total change",
    className: "w-30 @4xl/rows:w-48 @max-sm/rows:hidden",
  },
];

const sortedBySelf = 2;
const sortedByTotal = 5;

function functionRows(tree: CallTree, scaling: Scaling, root: number): FunctionRows {
  const totals = totalsByColumn(tree, root);
  const [before, after] = totals as [FunctionTotals, FunctionTotals];
  return {
    // The culprit of a leak may only call what grows: sorted by self, it would be the last row.
    firstSort: (fn) =>
      fn !== -1 &&
      Math.abs(after.total[fn]! - before.total[fn]!) > 2 * Math.abs(after.self[fn]! - before.self[fn]!)
        ? sortedByTotal
        : sortedBySelf,
    sorted: (head, isDescending) =>
      sortedFunctions(tree, totals, changeColumns[head]?.column ?? "name", isDescending),
    cells: (fn) => (
      <>
        <ChangeCells scaling={scaling} before={before.self[fn]!} after={after.self[fn]!} />
        <ChangeCells scaling={scaling} before={before.total[fn]!} after={after.total[fn]!} isSecondary />
      </>
    ),
    badge(fn) {
      const kind = changeKind(before.total[fn]!, after.total[fn]!);
      return (kind === "new" || kind === "gone") && <Badge>{kind === "new" ? "New" : "Gone"}</Badge>;
    },
    packages: packageSelfValues(tree, after),
    whole: tree.columns[1]!.total[0]!,
    isPart: lacksFrames(tree, root),
  };
}

interface ChangeCellsProps {
  readonly scaling: Scaling;
  readonly before: number;
  readonly after: number;
  /** Hidden where only one change fits. */
  readonly isSecondary?: boolean;
}

const cellClass = "px-2 text-right whitespace-nowrap sm:px-2.5 sm:last:pr-4";

function ChangeCells({ scaling, before, after, isSecondary = false }: ChangeCellsProps) {
  const text = changeText(scaling, before, after, true);
  // A function that both sides call can have a self value on one side only: it is neither new nor gone.
  const isOfBoth = text.percent !== "new" && text.percent !== "gone";
  return (
    <>
      <td className={cx(cellClass, "@max-4xl/rows:hidden")}>{text.before}</td>
      <td className={cx(cellClass, "@max-4xl/rows:hidden")}>{text.after}</td>
      <td className={cx(cellClass, isSecondary && "@max-sm/rows:hidden")}>
        {text.change}
        <span
          className={cx(
            "ml-2 hidden w-14 text-label text-muted",
            isSecondary ? "@4xl/rows:inline-block" : "@lg/rows:inline-block",
          )}
        >
          {isSecondary || isOfBoth ? text.percent : ""}
        </span>
      </td>
    </>
  );
}

function frameDetails(tree: CallTree, scaling: Scaling, node: number): FrameDetails {
  const [before, after] = tree.columns;
  const self = changeText(scaling, before!.self[node]!, after!.self[node]!);
  const name = frameName(tree, node);
  return {
    name,
    fullName: name,
    about: `Self: ${self.before} before, ${self.after} after, ${self.percent}`,
    ...changeFacts(scaling, before!.total[node]!, after!.total[node]!),
  };
}

/** Small frames that were left out have their own values, not those of their caller. */
function elidedDetails(tree: CallTree, scaling: Scaling, node: number): FrameDetails {
  const { columns, elisions } = tree;
  const row = elisionOf(tree, node);
  if (row === -1) return frameDetails(tree, scaling, node);
  const fullName = frameName(tree, node);
  return {
    name: `${exactCount(elisions.count[row]!)} small frames left out under ${fullName}`,
    fullName,
    about: "",
    ...changeFacts(scaling, columns[0]!.elided[row]!, columns[1]!.elided[row]!),
  };
}

function changeFacts(scaling: Scaling, before: number, after: number) {
  const text = changeText(scaling, before, after);
  return {
    facts: (
      <>
        <Fact label="Before">{text.before}</Fact>
        <Fact label="After">{text.after}</Fact>
        {/* Comes first and without a label on a phone, which has no room for more. Its sign says that it is a change. */}
        <div className={cx(factClass, "max-sm:order-first")}>
          <dt className="text-label text-muted max-sm:sr-only">Change</dt>
          <dd className="max-sm:text-label">
            <span className="max-sm:hidden">{text.change} </span>
            <span className="text-label text-muted max-sm:text-text">{text.percent}</span>
          </dd>
        </div>
      </>
    ),
    factsClass: "gap-x-3",
  };
}
