import { highest, lonePoints, type Values } from "./series.ts";

interface SparklinePath {
  readonly line: string;
  readonly area: string;
  /** Values between two gaps, for a stroke with round ends: a line of no length is then a dot. */
  readonly dots: string;
}

interface SparklineScale {
  /** The value at the top. */
  readonly top?: number;
  /** Where a value lies; by default they fill the width evenly. */
  readonly x?: (at: number) => number;
}

/** SVG paths of a line from the left edge to the right one, with 0 at the bottom and the largest value at the top. */
export function sparklinePath(
  values: Values,
  width: number,
  height: number,
  { top = highest([values]) || 1, x = evenly(values.length, width) }: SparklineScale = {},
): SparklinePath {
  const point = (at: number) =>
    [round(x(at)), round(height - 1 - ((values[at] ?? 0) / top) * (height - 2))] as const;
  let line = "";
  let area = "";
  for (const [from, to] of runs(values)) {
    if (from === to) continue;
    const points = Array.from({ length: to - from + 1 }, (_, offset) => point(from + offset).join(" "));
    line += `M${points.join("L")}`;
    area += `M${point(from)[0]} ${height}L${points.join("L")}L${point(to)[0]} ${height}Z`;
  }
  const dots = lonePoints(values).map((at) => `M${point(at).join(" ")}h0`);
  return { line, area, dots: dots.join("") };
}

function evenly(count: number, width: number): (at: number) => number {
  const step = count > 1 ? width / (count - 1) : 0;
  return (at) => at * step;
}

/** First and last index of each stretch without a gap. */
function runs(values: Values): [from: number, to: number][] {
  const found: [number, number][] = [];
  values.forEach((value, at) => {
    if (value === null) return;
    const last = found.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else found.push([at, at]);
  });
  return found;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
