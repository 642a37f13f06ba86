import type { Finding, FindingCost, listFindings, ReplyOf } from "@flamekeep/contract";
import { costText } from "#format/cost-text.ts";
import { bytesMeasure, coresMeasure, durationMsMeasure, type Measure, measureText } from "#format/measure.ts";
import { countMeasure, exactCount, plural } from "#format/number.ts";
import type { FindingsSearch } from "./search.ts";

export type FindingsReply = ReplyOf<typeof listFindings>;
export type FindingState = Finding["state"];

export const stateLabels: Readonly<Record<FindingState, string>> = {
  open: "Open",
  accepted: "Accepted",
  done: "Done",
  dismissed: "Dismissed",
};

const measures: Readonly<Record<FindingCost["unit"], (value: number) => Measure>> = {
  cores: coresMeasure,
  bytes: bytesMeasure,
  bytes_per_second: (value) => perSecond(bytesMeasure(value)),
  milliseconds_per_second: (value) => perSecond(durationMsMeasure(value)),
  goroutines: (value) => countMeasure(Math.round(value), "goroutines"),
};

function perSecond({ number, unit }: Measure): Measure {
  return { number, unit: `${unit}/s` };
}

export function costMeasure({ value, unit }: Pick<FindingCost, "value" | "unit">): Measure {
  return measures[unit](value);
}

/** `$96 a month`, and nothing where no price applies. */
export function moneyText(
  perMonth: number | null | undefined,
  price: FindingsReply["price"],
): string | undefined {
  if (price === null || perMonth === null || perMonth === undefined) return undefined;
  return `${costText(perMonth, price.currency)} a month`;
}

const summedUnits = [
  "cores",
  "bytes",
  "bytes_per_second",
  "milliseconds_per_second",
  "goroutines",
] as const satisfies readonly FindingCost["unit"][];

/**
 * `14 open findings: 3.2 cores, 1.1 GB, about $96 a month`; both states count in which there is something to do. A list of findings in
 * another state gives their number alone: `3 dismissed findings`.
 */
export function sumText({ totals, counts, price }: FindingsReply, state?: FindingsSearch["state"]): string {
  if (isDecided(state)) return plural(counts[state], `${state} finding`);
  const { findings, per_month: perMonth } = totals;
  const accepted = counts.accepted > 0 ? `, ${exactCount(counts.accepted)} of them accepted` : "";
  const money = perMonth !== null && perMonth > 0 ? moneyText(perMonth, price) : undefined;
  const parts = [
    ...summedUnits
      .filter((unit) => totals[unit] > 0)
      .map((unit) => measureText(costMeasure({ value: totals[unit], unit }))),
    ...(money === undefined ? [] : [`about ${money}`]),
  ];
  const sum = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  return `${plural(findings, "open finding")}${accepted}${sum}`;
}

/** Whether only findings are listed that nobody has to work on. */
export function isDecided(state: FindingsSearch["state"]): state is "done" | "dismissed" {
  return state === "done" || state === "dismissed";
}

/** `catalogue.go:87`; empty if the profile has no file. */
export function placeText(found: NonNullable<Finding["function"]>): string {
  const name = found.file.slice(found.file.lastIndexOf("/") + 1);
  return found.line > 0 && name !== "" ? `${name}:${found.line}` : name;
}

/** Whether it can be marked as done: it was accepted, and a deploy improved it. */
export function isProposedAsDone({ state, effect }: Finding): boolean {
  return state === "accepted" && effect?.status === "improved";
}
