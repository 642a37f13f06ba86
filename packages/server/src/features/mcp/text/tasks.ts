/** Tasks of the decoding thread. Reading a graph of a million frames takes up to a second, during which the main thread serves others. */
import { type CallTree, decodeFlameGraph, isCut, type MergeMeta } from "@flamekeep/flame";
import { functionKey } from "@flamekeep/profile";
import { normalisationsOf } from "#stacks/traffic/normalisation.ts";
import { changeText } from "./change-text.ts";
import { functionTotals } from "./changes.ts";
import { fileText } from "./file-text.ts";
import { type LineValue, lineOfName, linesByFunction, ownLines } from "./line-values.ts";
import { percentOf, placeText, printableName, quantityText, wordingOf } from "./quantity.ts";
import { relativesText } from "./relatives-text.ts";
import { focusedOn, frameOf, treeText } from "./tree-text.ts";

interface TopFunctionsTask {
  readonly columns: Uint8Array;
  /** The same graph by line. */
  readonly lines: Uint8Array;
  readonly profileType: string;
  readonly order: "self" | "total";
  readonly limit: number;
}

/** The functions of a graph, the most expensive first, each with its hottest lines. */
export function topFunctions({ columns, lines, profileType, order, limit }: TopFunctionsTask): string {
  const { tree, about } = readGraph(columns);
  if (about === undefined) return noProfile;
  const unit = unitOf(tree);
  const whole = tree.total[0]!;
  const ofFunction = linesByFunction(decodeFlameGraph(lines).tree, profileType);
  const sorted = [...functionTotals(tree, profileType).values()].toSorted((a, b) => b[order] - a[order]);
  const texts = sorted.slice(0, limit).map(({ name, file, line, startLine, self, total }) => {
    const own = `self ${percentOf(self, whole)} ${quantityText(self, unit)}`;
    const hot = hottest(ofFunction.get(functionKey(name, file, startLine)) ?? [], order, whole);
    const place = placeText(file, hot[0]?.line ?? line);
    return `${own}, total ${percentOf(total, whole)} ${quantityText(total, unit)}  ${printableName(name)}${place}${hotText(hot, order, whole)}`;
  });
  return [`${about}; ${tree.valueType.type}, whole ${quantityText(whole, unit)}`, ...texts].join("\n");
}

const hotLinesMax = 3;
const hotShareMin = 0.001;

/** The lines with the largest values, in the order of the list. */
function hottest(lines: readonly LineValue[], order: "self" | "total", whole: number): readonly LineValue[] {
  return lines
    .filter((each) => each[order] > hotShareMin * whole)
    .toSorted((a, b) => b[order] - a[order])
    .slice(0, hotLinesMax);
}

/** The place names a single line already. */
function hotText(lines: readonly LineValue[], order: "self" | "total", whole: number): string {
  if (lines.length < 2) return "";
  const texts = lines.map((each) => `${each.line} ${percentOf(each[order], whole)}`);
  return `; ${order} by line ${texts.join(", ")}`;
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
  if (root === undefined) return noFunction(focus ?? "");
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

function noFunction(text: string): string {
  return `No function of this profile has a name that contains ${JSON.stringify(printableName(text))}.`;
}

/** The functions with this name; if there is none, those whose name contains the text. */
function matcherOf(names: readonly string[], text: string): ((name: string) => boolean) | undefined {
  if (names.includes(text)) return (name) => name === text;
  const lower = text.toLowerCase();
  const contains = (name: string) => name.toLowerCase().includes(lower);
  return names.some(contains) ? contains : undefined;
}

function focusOf(tree: CallTree, text: string) {
  const isWanted = matcherOf(tree.functions.name.slice(1), text);
  return isWanted === undefined ? undefined : focusedOn(tree, isWanted);
}

interface RelativesTask {
  /** By line. */
  readonly columns: Uint8Array;
  readonly name: string;
  readonly limit: number;
}

/** The callers and callees of a function. */
export function relatives({ columns, name, limit }: RelativesTask): string {
  const { tree, about } = readGraph(columns);
  if (about === undefined) return noProfile;
  const names = tree.functions.name.slice(1).map((each) => lineOfName(each).name);
  const isWanted = matcherOf(names, name);
  if (isWanted === undefined) return noFunction(name);
  const text = relativesText(tree, isWanted, { unit: unitOf(tree), limit });
  return [`${about}; ${tree.valueType.type}`, ...(isCut(tree) ? [partText] : []), text].join("\n");
}

interface LinesOfFileTask {
  /** By line. */
  readonly columns: Uint8Array;
  readonly profileType: string;
  readonly file: string;
  readonly minPercent: number;
}

/** The lines of a file in their order, each with its function. */
export function linesOfFile({ columns, profileType, file, minPercent }: LinesOfFileTask): string {
  const { tree, about } = readGraph(columns);
  if (about === undefined) return noProfile;
  return [
    `${about}; ${tree.valueType.type}`,
    fileText(tree, { profileType, file, minPercent, unit: unitOf(tree) }),
  ].join("\n");
}

interface CompareTask {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** The same graphs by line. */
  readonly linesBefore: Uint8Array;
  readonly linesAfter: Uint8Array;
  readonly limit: number;
}

/** The functions that changed most between the graphs of two ranges. */
export function changes({ before, after, linesBefore, linesAfter, limit }: CompareTask): string {
  const sides = [readRange(before), readRange(after)] as const;
  const empty = sides.findIndex(({ merge }) => merge.profilesMerged === 0);
  if (empty !== -1) return `No profile of this service and type in the ${["earlier", "later"][empty]} range.`;
  const [{ tree, merge }] = [sides[1]];
  const isMean = merge.aggregation === "mean";
  const { per, ...divisors } = normalisationsOf(sides[0].measured, sides[1].measured, isMean)[0]!;
  const { write, about } = wordingOf({
    profileType: merge.type,
    unit: unitOf(tree),
    per: isMean ? "mean" : per === "second" ? "second" : "profile",
  });
  return [
    `before: ${mergedText(sides[0].merge)}`,
    `after: ${mergedText(merge)}`,
    `values: ${printableName(tree.valueType.type)}, ${about}`,
    changeText(sideOf(sides[0], linesBefore, divisors.before), sideOf(sides[1], linesAfter, divisors.after), {
      write,
      count: limit,
    }),
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

function sideOf({ tree, merge }: Range, lines: Uint8Array, divisor: number) {
  const byLine = decodeFlameGraph(lines).tree;
  return {
    totals: functionTotals(tree, merge.type),
    own: ownLines(byLine),
    lines: linesByFunction(byLine, merge.type),
    total: tree.total[0]!,
    divisor,
  };
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
