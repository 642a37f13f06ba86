/** Tasks of the decoding thread. Reading a graph of a million frames takes up to a second, during which the main thread serves others. */
import { type CallTree, decodeFlameGraph, isCut, type MergeMeta } from "@flamekeep/flame";
import { normalisationsOf } from "#stacks/traffic/normalisation.ts";
import { changeText, functionTotals, ownTotals } from "./change-text.ts";
import { percentOf, placeText, printableName, quantityText } from "./quantity.ts";
import { focusedOn, frameOf, treeText } from "./tree-text.ts";

interface TopFunctionsTask {
  readonly columns: Uint8Array;
  readonly profileType: string;
  readonly order: "self" | "total";
  readonly limit: number;
}

/** The functions of a graph, the most expensive first. */
export function topFunctions({ columns, profileType, order, limit }: TopFunctionsTask): string {
  const { tree, about } = readGraph(columns);
  if (about === undefined) return noProfile;
  const unit = unitOf(tree);
  const whole = tree.total[0]!;
  const sorted = [...functionTotals(tree, profileType).values()].toSorted((a, b) => b[order] - a[order]);
  const lines = sorted.slice(0, limit).map(({ name, file, line, self, total }) => {
    const own = `self ${percentOf(self, whole)} ${quantityText(self, unit)}`;
    return `${own}, total ${percentOf(total, whole)} ${quantityText(total, unit)}  ${printableName(name)}${placeText(file, line)}`;
  });
  return [`${about}; ${tree.valueType.type}, whole ${quantityText(whole, unit)}`, ...lines].join("\n");
}

interface CallTreeTask {
  readonly columns: Uint8Array;
  readonly focus: string | undefined;
  readonly limit: number;
  readonly minPercent: number;
}

/** The call tree of a graph, or of a function in all its places. */
export function callTree({ columns, focus, limit, minPercent }: CallTreeTask): string {
  const { tree, about } = readGraph(columns);
  if (about === undefined) return noProfile;
  const root = focus === undefined ? frameOf(tree, [0]) : focusOf(tree, focus);
  if (root === undefined)
    return `No function of this profile has a name that contains ${JSON.stringify(focus)}.`;
  const text = treeText(root, {
    unit: unitOf(tree),
    total: tree.total[0]!,
    linesMax: limit,
    shareMin: minPercent / 100,
  });
  const head = `${about}; ${tree.valueType.type}`;
  return focus !== undefined && isCut(tree) ? [head, partText, text].join("\n") : `${head}\n${text}`;
}

/** The frames that an answer without `focus` leaves out are smaller than those it prints. */
const partText =
  "The graph has too many frames to read at once: each value is a lower bound. The total of a single function is exact.";

/** The function with this name; if there is none, those whose name contains the text. */
function focusOf(tree: CallTree, text: string) {
  const lower = text.toLowerCase();
  return (
    focusedOn(tree, (name) => name === text) ?? focusedOn(tree, (name) => name.toLowerCase().includes(lower))
  );
}

interface CompareTask {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly limit: number;
}

/** The functions that changed most between the graphs of two ranges. */
export function changes({ before, after, limit }: CompareTask): string {
  const sides = [readRange(before), readRange(after)] as const;
  const empty = sides.findIndex(({ merge }) => merge.profilesMerged === 0);
  if (empty !== -1) return `No profile of this service and type in the ${["earlier", "later"][empty]} range.`;
  const [{ tree, merge }] = [sides[1]];
  const isMean = merge.aggregation === "mean";
  const { per, ...divisors } = normalisationsOf(sides[0].measured, sides[1].measured, isMean)[0]!;
  const basis = isMean
    ? "mean of the profiles"
    : per === "second"
      ? "per second of profiling"
      : "per profile";
  const unit = unitOf(tree);
  return [
    `before: ${mergedText(sides[0].merge)}`,
    `after: ${mergedText(merge)}`,
    changeText(sideOf(sides[0], divisors.before), sideOf(sides[1], divisors.after), { unit, count: limit }),
    `(${tree.valueType.type}, ${basis}, ${isMean ? unit : `${unit} per ${per}`})`,
  ].join("\n");
}

type Range = ReturnType<typeof readRange>;

function readRange(columns: Uint8Array) {
  const { tree, meta } = decodeFlameGraph(columns);
  const { merge, durationMs } = meta;
  if (merge === undefined) throw new Error("The graph of a range does not say what it was merged from");
  // Values are of one instance, so requests do not count.
  const measured = { profiles: merge.profilesMerged, durationMs, requests: undefined };
  return { tree, merge, measured };
}

function sideOf({ tree, merge }: Range, divisor: number) {
  return { totals: functionTotals(tree, merge.type), own: ownTotals(tree), total: tree.total[0]!, divisor };
}

const noProfile = "No profile of this service and type in this range.";

/** The graph and what it is of; undefined for no profile at all. */
function readGraph(columns: Uint8Array) {
  const { tree, meta } = decodeFlameGraph(columns);
  const { merge, profileId } = meta;
  if (merge === undefined) return { tree, about: `profile ${profileId}` };
  if (merge.profilesMerged === 0) return { tree, about: undefined };
  return { tree, about: `${merge.profilesMerged} profiles merged, ${merge.from} to ${merge.to}` };
}

function mergedText({ profilesMerged, from, to }: MergeMeta): string {
  return `${profilesMerged} profiles, ${from} to ${to}`;
}

function unitOf({ valueType: { type, unit } }: CallTree): string {
  return unit === "count" || unit === "" ? type : unit;
}
