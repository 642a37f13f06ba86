/** The order of the list: what saves most comes first, whatever its unit. */
import { bytesOfGigabyte, type FindingUnit, type ResourcePrice } from "@flamekeep/contract";
import { analysisPriorities } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { fromCursor, toCursor } from "#http/query/cursor.ts";
import { costOf } from "./price.ts";
import type { ListedFinding } from "./queries.ts";

/** Without a price, a core is worth as much as this many GB: about what clouds ask for. */
const pricesDefault = { per_core_month: 8, per_gb_month: 1 };

const Place = z.tuple([z.number(), z.int(), z.number(), z.string()]);
/** Larger savings first, then higher priorities, then what costs more; the id makes it unique. */
type Place = z.output<typeof Place>;

export interface Placed {
  readonly finding: ListedFinding;
  readonly place: Place;
}

export function inOrder(findings: readonly ListedFinding[], price: ResourcePrice | null): Placed[] {
  return findings
    .map((finding): Placed => {
      const { unit, inUse, saving, share, priority, id } = finding;
      const costOfPart = (part: number) => costOf(inUse * part, unit, price ?? pricesDefault);
      const cost = costOfPart(share) ?? share;
      return { finding, place: [costOfPart(saving) ?? 0, analysisPriorities.indexOf(priority), cost, id] };
    })
    .sort((a, b) => compare(a.place, b.place));
}

export function pageAfter(placed: readonly Placed[], cursor: string | undefined, limit: number) {
  const after = cursor === undefined ? undefined : fromCursor(Place, cursor);
  const rest = after === undefined ? placed : placed.filter(({ place }) => compare(place, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    ids: page.map(({ finding }) => finding.id),
    next_cursor: rest.length > page.length && last !== undefined ? toCursor(last.place) : null,
  };
}

/** The savings of all active findings: each takes its share of the use that the others leave. */
export function totalsOf(findings: readonly ListedFinding[], price: ResourcePrice | null) {
  const active = findings.filter(({ state }) => state === "open" || state === "accepted");
  const uses = new Map<string, { unit: ListedFinding["unit"]; inUse: number; left: number }>();
  for (const { service, displayType, unit, inUse, saving } of active) {
    const key = JSON.stringify([service, displayType, unit]);
    const use = uses.get(key) ?? { unit, inUse: 0, left: 1 };
    uses.set(key, { unit, inUse: Math.max(use.inUse, inUse), left: use.left * (1 - Math.min(1, saving)) });
  }
  const sumOf = (wanted: FindingUnit) =>
    [...uses.values()]
      .filter(({ unit }) => unit === wanted)
      .reduce((sum, { inUse, left }) => sum + inUse * (1 - left), 0);
  const sums = {
    cores: sumOf("cores"),
    bytes: sumOf("bytes"),
    bytes_per_second: sumOf("bytes_per_second"),
    milliseconds_per_second: sumOf("milliseconds_per_second"),
    goroutines: sumOf("goroutines"),
  };
  const { cores, bytes } = sums;
  const perMonth = price && cores * price.per_core_month + (bytes / bytesOfGigabyte) * price.per_gb_month;
  return { findings: active.length, ...sums, per_month: perMonth };
}

function compare(a: Place, b: Place): number {
  return b[0] - a[0] || a[1] - b[1] || b[2] - a[2] || (a[3] < b[3] ? -1 : Number(a[3] > b[3]));
}
