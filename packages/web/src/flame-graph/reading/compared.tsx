import { isCut, packageSelfValues } from "@flamekeep/flame";
import {
  type ComparedTree,
  type Comparison,
  changeKind,
  changeLegend,
  changePalette,
  changeStep,
  functionChanges,
  layOut,
  matchedTotals,
  type Scale,
  sortedChanges,
} from "@flamekeep/flame/compare";
import type { GraphLook } from "#flame-graph/canvas/scene.ts";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";
import { exactCount } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { cx } from "#ui/cx.ts";
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
import type { FrameDetails, FunctionRows, Reading, Side } from "./reading.ts";
import { comparisonNotice, comparisonSummary } from "./summary.ts";

/** A comparison: a value before and after, and the change. */
export function comparedReading(scaling: Scaling): Reading {
  const { scale } = scaling;
  return {
    label: "Comparison",
    isCompared: true,
    drawn: (comparison: Comparison) => wholeLayout(comparison, scale),
    sides: [sideOf(scaling, "before"), sideOf(scaling, "after")],
    colours: {
      lookOf: (tree: ComparedTree) => changeLook(tree, scale),
      legend: <ChangeLegend isRelative={scaling.changeUnit !== undefined} />,
    },
    sentences: {
      frame: (tree: ComparedTree, node) => changeSentence(tree, scaling, node),
      tooltip: (tree: ComparedTree, node) => changeTooltip(tree, scaling, node),
      spoken: (tree: ComparedTree, node) => changeTooltip(tree, scaling, node),
      sums: (tree: ComparedTree, fn) => changeSums(tree, scaling, fn),
      share: (source: Comparison, tree: ComparedTree, { matches }) =>
        matchedShares(source, matchedTotals(tree, matches)),
      summary: comparisonSummary,
      notice: comparisonNotice,
    },
    detailsOf: (tree: ComparedTree, node, isElided) =>
      isElided ? elidedDetails(tree, scaling, node) : frameDetails(tree, scaling, node),
    functions: {
      heads: columns,
      sortedAt: columns.findIndex(({ column }) => column === "selfChange"),
      rowsOf: (tree: ComparedTree, root) => functionRows(tree, scaling, root),
    },
    frames: {
      heads: [
        { label: "Before", className: "max-xl:hidden w-27 px-2.5" },
        { label: "After", className: "max-xl:hidden w-27 px-2.5" },
        { label: "Change", className: "w-30 px-2 sm:w-48 sm:pr-4 sm:pl-2.5" },
      ],
      cells: ({ before, after }: ComparedTree, node) => (
        <ChangeCells scaling={scaling} before={before.total[node]!} after={after.total[node]!} />
      ),
      // Their widths have both sides in one.
      leftOutCells: () => <td colSpan={3} />,
    },
  };
}

function sideOf(scaling: Scaling, name: "before" | "after"): Side {
  return {
    name,
    title: name === "before" ? "Before" : "After",
    drawn: (comparison: Comparison) => layOut(comparison, scaling.scale, name),
    total: (tree: ComparedTree) => sideTotal(tree, scaling, name),
  };
}

/** The change of each frame with its callees. */
function changeLook({ before, after }: ComparedTree, scale: Scale): GraphLook {
  return {
    paletteOf: changePalette,
    colourOf: (node) => changeStep(before.total[node]! * scale.before, after.total[node]! * scale.after),
  };
}

const columns = [
  { column: "selfBefore", label: "Self before", className: "max-xl:hidden w-27" },
  { column: "selfAfter", label: "Self after", className: "max-xl:hidden w-27" },
  { column: "selfChange", label: "Self change", className: "w-30 sm:w-48" },
  { column: "totalBefore", label: "Total before", className: "max-xl:hidden w-27" },
  { column: "totalAfter", label: "Total after", className: "max-xl:hidden w-27" },
  { column: "totalChange", label: "Total change", className: "w-48 max-sm:hidden" },
] as const;

function functionRows(tree: ComparedTree, scaling: Scaling, root: number): FunctionRows {
  const changes = functionChanges(tree, root);
  const { selfBefore, selfAfter, totalBefore, totalAfter, frames } = changes;
  return {
    sorted: (head, isDescending) =>
      sortedChanges(tree, changes, { column: columns[head]?.column ?? "name", isDescending }),
    cells: (fn) => (
      <>
        <ChangeCells scaling={scaling} before={selfBefore[fn]!} after={selfAfter[fn]!} />
        <ChangeCells scaling={scaling} before={totalBefore[fn]!} after={totalAfter[fn]!} isSecondary />
      </>
    ),
    badge(fn) {
      const kind = changeKind(totalBefore[fn]!, totalAfter[fn]!);
      return (kind === "new" || kind === "gone") && <Badge>{kind === "new" ? "New" : "Gone"}</Badge>;
    },
    packages: packageSelfValues(tree, { self: selfAfter, total: totalAfter, frames }),
    whole: tree.after.total[0]!,
    isPart: isCut(tree) && (root !== 0 || tree.before.allFrames === undefined),
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
      <td className={cx(cellClass, "max-xl:hidden")}>{text.before}</td>
      <td className={cx(cellClass, "max-xl:hidden")}>{text.after}</td>
      <td className={cx(cellClass, isSecondary && "max-sm:hidden")}>
        {text.change}
        <span className="ml-2 inline-block w-14 text-label text-muted max-sm:hidden">
          {isSecondary || isOfBoth ? text.percent : ""}
        </span>
      </td>
    </>
  );
}

function frameDetails(tree: ComparedTree, scaling: Scaling, node: number): FrameDetails {
  const { before, after } = tree;
  const self = changeText(scaling, before.self[node]!, after.self[node]!);
  const name = frameName(tree, node);
  return {
    name,
    fullName: name,
    about: `Self: ${self.before} before, ${self.after} after, ${self.percent}`,
    ...changeFacts(scaling, before.total[node]!, after.total[node]!),
  };
}

/** Small frames that were left out have their own values, not those of their caller. */
function elidedDetails(tree: ComparedTree, scaling: Scaling, node: number): FrameDetails {
  const { elisions } = tree;
  const row = elisions.node.indexOf(node);
  if (row === -1) return frameDetails(tree, scaling, node);
  const fullName = frameName(tree, node);
  return {
    name: `${exactCount(elisions.count[row]!)} small frames left out under ${fullName}`,
    fullName,
    about: "",
    ...changeFacts(scaling, elisions.before[row]!, elisions.after[row]!),
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

/** A comparison cannot be read without the meaning of its colours. @param isRelative whether frames are compared by their shares of each side's total */
function ChangeLegend({ isRelative }: { readonly isRelative: boolean }) {
  const { theme } = useThemeColours();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-label">
      <ol className="flex" aria-label="Colors from less to more">
        {changeLegend(theme).map(({ label, colour }) => (
          <li key={label} className="flex w-12 flex-col items-center gap-0.5 max-sm:w-9">
            <svg aria-hidden="true" className="h-2.5 w-full" viewBox="0 0 1 1" preserveAspectRatio="none">
              <rect width="1" height="1" fill={colour} />
            </svg>
            <span className="whitespace-nowrap text-muted max-sm:text-[0.625rem]">{label}</span>
          </li>
        ))}
      </ol>
      <span className="min-w-0 text-muted">
        Color shows how a frame's total changed{isRelative && ", as a share of its side's total"}: blue is
        less, gray the same, orange more.
        {isRelative && " The whole is 100% on both sides, so it is gray."}
      </span>
    </div>
  );
}
