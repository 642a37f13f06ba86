/** Joins the rows of functions that are one: builds in different folders, lines that a release moved. Pure. */
import { functionKey } from "@flamekeep/profile";
import type { z } from "zod";
import type { Sums } from "./function-shift.ts";
import type { functionHours, functionSums } from "./queries.ts";

export const figures = ["self", "total"] as const;
export type Figure = (typeof figures)[number];

/** Marks before the numbers at the end of a Go closure's name. A new closure numbers the others again, so that all count as the function around them. */
const closureMarks = [".func", ".gowrap", ".deferwrap", "-range", "."] as const;

/** The end of the name of a closure, for ClickHouse, whose expressions take time in proportion to the text. */
export const closures = "(?:(?:\\.func|\\.gowrap|\\.deferwrap|-range|\\.)\\d+)+$";

/** As `closures`, read from the end: names are hostile input. */
export function withoutClosures(name: string): string {
  for (let end = name.length; ; ) {
    let start = end;
    while (start > 0 && isDigit(name.charCodeAt(start - 1))) start--;
    const mark = start === end ? undefined : closureMarks.find((each) => name.endsWith(each, start));
    if (mark === undefined) return name.slice(0, end);
    end = start - mark.length;
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

type SumsRow = z.output<(typeof functionSums)["row"]>;
type HoursRow = z.output<(typeof functionHours)["row"]>;

interface Named {
  readonly key: string;
  /** Without its file. */
  readonly name: string;
}

export type SummedFunction = Named & Readonly<Record<Figure, Sums>>;

export function summedFunctions(rows: readonly SumsRow[]): SummedFunction[] {
  const add = (of: (row: SumsRow) => readonly number[], same: readonly SumsRow[]) =>
    toSums(same.map(of).reduce((sums, more) => sums.map((sum, index) => sum + more[index]!)));
  return [...Map.groupBy(rows, keyOf)].map(([key, same]) => ({
    key,
    name: same[0]!.name,
    self: add(({ self }) => self, same),
    total: add(({ total }) => total, same),
  }));
}

export function toSums(sums: readonly number[]): Sums {
  return { newest: sums.slice(0, -1), before: sums.at(-1)! };
}

export type HourlyFunction = Named & Readonly<Record<Figure, Float64Array>>;

/** `indexOf` gives the place of an hour in Unix seconds. */
export function hourlyFunctions(
  rows: readonly HoursRow[],
  { length, indexOf }: { readonly length: number; readonly indexOf: (hour: number) => number },
): HourlyFunction[] {
  return [...Map.groupBy(rows, keyOf)].map(([key, same]) => {
    const self = new Float64Array(length);
    const total = new Float64Array(length);
    for (const row of same) {
      row.hours.forEach((hour, index) => {
        self[indexOf(hour)]! += row.self[index]!;
        total[indexOf(hour)]! += row.total[index]!;
      });
    }
    return { key, name: same[0]!.name, self, total };
  });
}

function keyOf({ name, file, startLine }: SumsRow | HoursRow): string {
  return functionKey(name, file, startLine);
}
