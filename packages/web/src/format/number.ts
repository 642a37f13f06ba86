import { type Measure, measureText, withMinus } from "./measure.ts";

function compact(value: number, divisor: number): string {
  return withMinus((value / divisor).toFixed(1).replace(/\.0$/, ""));
}

/** 1,000 or more as K, 1,000,000 or more as M; one decimal. */
export function countText(value: number): string {
  const size = Math.abs(value);
  if (size >= 999_950) return `${compact(value, 1_000_000)}M`;
  if (size >= 1_000) return `${compact(value, 1_000)}K`;
  return withMinus(Number.isInteger(value) ? String(value) : value.toFixed(1));
}

export function exactCount(value: number): string {
  return withMinus(value.toLocaleString("en-US"));
}

export function countMeasure(value: number, unit = ""): Measure {
  return { number: countText(value), unit };
}

/** A percentage with one decimal: `12.0%`. One that is not zero is never shown as zero. */
export function percentText(percent: number): string {
  if (percent !== 0 && Math.abs(percent) < 0.05) return percent < 0 ? ">−0.1%" : "<0.1%";
  return measureText({ number: withMinus(percent.toFixed(1)), unit: "%" });
}

/** A fraction as a whole percentage: `12%`. */
export function wholePercentText(fraction: number): string {
  return `${withMinus(String(Math.round(fraction * 100)))}%`;
}

const changeFormat = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** A change in percent with its sign and one decimal: `+42.0%`. */
export function changeMeasure(percent: number): Measure {
  return { number: withMinus(changeFormat.format(percent)), unit: "%" };
}

/** `07` */
export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${exactCount(count)} ${count === 1 ? one : many}`;
}

/** `20 of 312 functions`, or `312 functions` if all are listed. */
export function listedText(listed: number, all: number, one: string, many?: string): string {
  return listed < all ? `${exactCount(listed)} of ${plural(all, one, many)}` : plural(all, one, many);
}
