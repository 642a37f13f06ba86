import {
  type CallTree,
  formatPercent,
  fullNames,
  type LaidOutTree,
  layOut,
  placesOf,
  type Scale,
  shownName,
} from "@flamekeep/flame";
import { type ComparisonMeta, changeKind, type Normalisation, shareScale } from "@flamekeep/flame/compare";
import { coresColumn, coresMeasure, type Measure, measureText, threeDigits } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { changeMeasure, exactCount } from "#format/number.ts";
import { namedSampleMeasure } from "#format/sample-value.ts";
import { exactSpan } from "#format/time.ts";
import type { Zone } from "#format/wall-time.ts";

/** `relative` compares shares of each side's total, `absolute` values by a normalisation. */
export type ComparisonMode = "relative" | "absolute";

/** How the values of a comparison are scaled and written. */
export interface Scaling {
  readonly scale: Scale;
  /** A scaled value. */
  readonly measure: (value: number) => Measure;
  /** A scaled value without the name of the counted things, where there is little room. */
  readonly shortMeasure: (value: number) => Measure;
  /** The unit of a difference, where it is not the unit of a value. */
  readonly changeUnit?: string;
}

/** Significant digits of the total in a column of functions. Most functions are much smaller than the total. */
const columnDigits = 4;

/** Shares of each side's total, or values by the normalisation. */
export function scalingOf(
  comparison: CallTree,
  { type }: Pick<ComparisonMeta, "type">,
  mode: ComparisonMode,
  normalisation: Normalisation,
): Scaling {
  if (mode === "relative") {
    const measure = (share: number) => ({ number: threeDigits(share * 100), unit: "%" });
    return { scale: shareScale(comparison), measure, shortMeasure: measure, changeUnit: "points" };
  }
  const { before, after, per } = normalisation;
  const { valueType } = comparison;
  const isTime = valueType.unit === "nanoseconds";
  const measure = (value: number) => {
    if (per !== "second") return namedSampleMeasure(value, valueType.type, valueType.unit);
    if (isTime && type === "cpu") return coresMeasure(value / 1e9);
    const { number, unit } = namedSampleMeasure(value, valueType.type, valueType.unit);
    return { number, unit: `${unit}/s` };
  };
  const wholes = comparison.columns.map(({ total }, side) => total[0]! / (side === 0 ? before : after) / 1e9);
  const coresInColumn = coresColumn(Math.max(...wholes), columnDigits);
  const shortMeasure = (value: number) => {
    if (valueType.unit === "count" && per !== "second") return { number: threeDigits(value), unit: "" };
    if (isTime && type === "cpu" && per === "second") return coresInColumn(value / 1e9);
    return measure(value);
  };
  return { scale: [1 / before, 1 / after], measure, shortMeasure };
}

const layouts = new WeakMap<CallTree, LaidOutTree>();

/** The layout of both sides as one graph, made once for the drawing, the summary and links to the widest place of a function. */
export function wholeLayout(comparison: CallTree, scale: Scale): LaidOutTree {
  const latest = layouts.get(comparison);
  if (latest !== undefined && scale.every((factor, side) => factor === latest.scale[side])) return latest;
  const tree = layOut(comparison, scale);
  layouts.set(comparison, tree);
  return tree;
}

/** A frame or function in both sides, formatted. */
export interface ChangeText {
  readonly before: string;
  readonly after: string;
  /** `+1.2 ms`, `−3.4 points`. */
  readonly change: string;
  /** `+12.3%`, `new`, `gone` or `same`. */
  readonly percent: string;
}

/** @param before measured, not scaled, as is `after` */
export function changeText(scaling: Scaling, before: number, after: number, isShort = false): ChangeText {
  const b = before * scaling.scale[0]!;
  const a = after * scaling.scale[1]!;
  const measure = isShort ? scaling.shortMeasure : scaling.measure;
  return {
    before: measureText(measure(b)),
    after: measureText(measure(a)),
    change: differenceText({ ...scaling, measure }, a - b),
    percent: percentText(b, a),
  };
}

/** `+1.2 ms`, `−3.4 points`. @param difference scaled */
export function differenceText({ measure, changeUnit }: Scaling, difference: number): string {
  const { number, unit } = measure(Math.abs(difference));
  // A change that is too small for its column has the sign of a comparison.
  if (number.startsWith("<")) return measureText(measure(difference));
  // A change that rounds to zero has no sign.
  const sign = /[1-9]/.test(number) ? (difference > 0 ? "+" : "−") : "";
  if (changeUnit === undefined) return `${sign}${measureText({ number, unit })}`;
  return `${sign}${number} ${number === "1" ? changeUnit.replace(/s$/, "") : changeUnit}`;
}

/** Changes of more than this are written as a factor, because a percentage of five digits says nothing. */
const factorFrom = 10;

function percentText(before: number, after: number): string {
  const kind = changeKind(before, after);
  if (kind === "new" || kind === "gone" || kind === "same") return kind;
  const ratio = after / before;
  if (ratio >= factorFrom) return `×${exactCount(Math.round(ratio))}`;
  return measureText(changeMeasure((ratio - 1) * 100));
}

/** The total of one side: of the whole, and not of a zoomed frame. */
export function sideTotal(
  { columns }: Pick<CallTree, "columns">,
  { scale, measure }: Scaling,
  side: number,
): string {
  return measureText(measure(columns[side]!.total[0]! * scale[side]!));
}

/** The shares of matches in the total of each side: `57.0% → 71.2%`. @param matched as measured */
export function matchedShares({ columns }: Pick<CallTree, "columns">, matched: readonly number[]): string {
  return columns.map(({ total }, side) => formatPercent(matched[side]!, total[0]!)).join(" → ");
}

/** A frame in one line, for menus and screen readers. */
export function changeSentence(tree: CallTree, scaling: Scaling, node: number): string {
  const text = changeText(scaling, tree.columns[0]!.total[node]!, tree.columns[1]!.total[node]!);
  return `${text.before} before, ${text.after} after, ${text.percent}`;
}

/** A frame with its name, where nothing else names it. */
export function changeTooltip(tree: CallTree, scaling: Scaling, node: number): string {
  return `${frameName(tree, node)}: ${changeSentence(tree, scaling, node)}`;
}

/** A function on both sides, summed over all of its places: `total 12% → 15% (+25.0%), self …`, or `total and self …`. */
export function changeSums(tree: CallTree, scaling: Scaling, fn: number): string {
  const before = placesOf(tree, fn, 0);
  const after = placesOf(tree, fn, 1);
  const total = changeText(scaling, before.total, after.total);
  const self = changeText(scaling, before.self, after.self);
  const text = (change: ChangeText) => `${change.before} → ${change.after} (${change.percent})`;
  if (before.self === before.total && after.self === after.total) return `total and self ${text(total)}`;
  return `total ${text(total)}, self ${text(self)}`;
}

export function frameName(tree: CallTree, node: number): string {
  return shownName(fullNames(tree.functions)[tree.fn[node]!]!);
}

/** `checkout · CPU · Nov 26, 2026, 15:00:00 – 16:00:00 UTC → Nov 26, 2026, 16:00:00 – 17:00:00 UTC` */
export function comparedTitle({ type, before, after }: ComparisonMeta, zone: Zone): string {
  const services = [...new Set([before.service, after.service])].join(" → ");
  const spans = [before, after].map(({ from, to }) => exactSpan(from, to, zone)).join(" → ");
  return `${services} · ${profileTypeLabel(type)} · ${spans}`;
}

/** Follows an absolute value whose own unit does not say by what it was divided. */
export function perText({ per }: Normalisation, { aggregation }: ComparisonMeta): string {
  if (per === "second" || aggregation === "mean") return "";
  return ` per ${per}`;
}

/** How the sides were made comparable, in a sentence. */
export function normalisationSentence({ per, before, after }: Normalisation, meta: ComparisonMeta): string {
  if (meta.aggregation === "mean")
    return `Each value is the mean over the profiles of its side (${exactCount(meta.before.profiles)} before, ${exactCount(meta.after.profiles)} after).`;
  const [b, a] = [exactCount(rounded(before)), exactCount(rounded(after))];
  if (per === "request")
    return `Values are per HTTP request answered while the profiler ran: ${b} before, ${a} after.`;
  if (per === "second")
    return `Values are per second of profiling, for one instance (${b} s before, ${a} s after).`;
  return `Values are per profile: ${b} before, ${a} after.`;
}

function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
