import {
  type CallTree,
  type FunctionTotals,
  formatPercent,
  hottestFunction,
  packageSelfValues,
  placesOf,
  sortedFunctions,
  totalsByColumn,
  wholeOf,
} from "@flamekeep/flame";
import { measureText } from "#format/measure.ts";
import { Quantity } from "#ui/content/values.tsx";
import { Fact } from "./fact.tsx";
import { elidedText, frameSummary, frameText, spokenFrame, valueMeasure } from "./frame-text.ts";
import { type FrameDetails, type FunctionRows, lacksFrames, type Reading } from "./reading.ts";
import { treeNotice, treeSummary } from "./summary.ts";

const className = "w-20 sm:w-40";

/** A graph of one profile or range: a value with its share of the whole. */
export const singleReading: Reading = {
  label: "Flame graph",
  isCompared: false,
  drawn: (tree: CallTree) => tree,
  sentences: {
    frame: frameSummary,
    spoken: spokenFrame,
    sums: functionSums,
    share: (_, tree, { values: [value = 0] }) => formatPercent(value, wholeOf(tree)),
    summary: treeSummary,
    notice: treeNotice,
  },
  detailsOf: (tree, node, isElided) => (isElided ? elidedText(tree, node) : frameDetails(tree, node)),
  hottestOf(tree) {
    if (lacksFrames(tree, 0)) return undefined;
    const { fn, self } = hottestFunction(tree);
    return fn === -1 ? undefined : { fn, share: formatPercent(self, wholeOf(tree)) };
  },
  functions: {
    heads: [
      { label: "Self", className },
      { label: "Total", className },
    ],
    rowsOf: functionRows,
  },
  frames: {
    heads: [
      { label: "Self", className: `${className} px-2 sm:px-4` },
      { label: "Total", className: `${className} px-2 sm:px-4` },
    ],
    cells: (tree, node) => (
      <>
        <ValueCell tree={tree} value={tree.self[node]!} />
        <ValueCell tree={tree} value={tree.total[node]!} />
      </>
    ),
    leftOutCells: (tree, elision) => (
      <>
        <td />
        <ValueCell tree={tree} value={tree.elisions.total[elision]!} />
      </>
    ),
  },
};

function functionRows(tree: CallTree, root: number): FunctionRows {
  const [totals] = totalsByColumn(tree, root) as [FunctionTotals];
  const columns = ["self", "total"] as const;
  return {
    firstSort: () => 0,
    sorted(head, isDescending) {
      const value = columns[head];
      return sortedFunctions(tree, [totals], value === undefined ? "name" : { value, of: 0 }, isDescending);
    },
    cells: (fn) =>
      columns.map((column) => <ValueCell key={column} tree={tree} value={totals[column][fn]!} />),
    packages: packageSelfValues(tree, totals),
    whole: wholeOf(tree),
    isPart: lacksFrames(tree, root),
  };
}

/** A value with its share of the whole. */
function ValueCell({ tree, value }: { readonly tree: CallTree; readonly value: number }) {
  return (
    <td className="whitespace-nowrap px-2 text-right sm:px-4">
      <Quantity value={valueMeasure(tree, value)} />
      <span className="block text-label text-muted sm:ml-2 sm:inline-block sm:w-12">
        {formatPercent(value, wholeOf(tree))}
      </span>
    </td>
  );
}

function frameDetails(tree: CallTree, node: number): FrameDetails {
  const text = frameText(tree, node);
  return {
    name: text.name,
    fullName: text.name,
    about: text.about,
    facts: (
      <>
        <Fact label="Total" percent={text.totalPercent}>
          <Quantity value={text.total} />
        </Fact>
        <Fact label="Self" percent={text.selfPercent}>
          <Quantity value={text.self} />
        </Fact>
        <Fact label={text.countName}>{text.count}</Fact>
      </>
    ),
    // Phones drop the last ones that do not fit.
    factsClass: "flex-wrap content-start gap-x-4 gap-y-2",
  };
}

/** `total 3.4 s (34.2%), self 310 ms (3.1%)`: a function in all of its places, recursion counted once. */
function functionSums(tree: CallTree, fn: number): string {
  const { self, total } = placesOf(tree, fn);
  const text = (value: number) =>
    `${measureText(valueMeasure(tree, value))} (${formatPercent(value, wholeOf(tree))})`;
  return `total ${text(total)}, self ${text(self)}`;
}
