import type { Comparison, Onset } from "@flamekeep/contract";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { FunctionChange } from "./function-changes.ts";
import { type Both, type ComparedRange, scaled, scalesOf } from "./scales.ts";

type Changed = Comparison["functions"][number];

const functionsMax = 20;

/** A function of the application that grew. Its values are of one instance, and include the libraries and the runtime that it calls. */
export interface GrownFunction extends Pick<FunctionChange, "name" | "file" | "line"> {
  readonly values: Both;
  /** Undefined unless both ranges have requests. */
  readonly perRequest: Both | undefined;
  /** Part of the whole increase. */
  readonly share: number;
  readonly isNew: boolean;
  /** Parts of the later range. */
  readonly selfShare: number;
  readonly totalShare: number;
}

export interface ComparedRanges {
  readonly comparison: Comparison;
  /** Largest growth first; empty unless the whole grew. */
  readonly grown: readonly GrownFunction[];
}

/** Compares the values of two ranges, and finds the functions that grew. */
export function compareRanges(
  before: ComparedRange,
  after: ComparedRange,
  { changes, onset }: { readonly changes: readonly FunctionChange[]; readonly onset: Onset | null },
): ComparedRanges {
  const { unit } = toValueType(after.sampleType);
  const { kind, total, column, request } = scalesOf(before, after);
  const rates = requestRates(before, after);
  const values = scaled({ before: before.total, after: after.total }, total);
  const rise = values.after - values.before;
  const factors = { column, request, rise };
  const comparison: Comparison = {
    sample_type: after.sampleType,
    unit: { mean: unit, rate: `${unit} per second`, profile: `${unit} per profile` }[kind],
    before: { per_second: values.before, per_request: perRequest(before.total, request?.before) },
    after: { per_second: values.after, per_request: perRequest(after.total, request?.after) },
    increase: values.before > 0 ? rise / values.before : null,
    requests_per_second_before: rates?.before ?? null,
    requests_per_second_after: rates?.after ?? null,
    onset: rise > 0 ? onset : null,
    functions: changes
      .map((change) => toChanged(change, factors))
      .filter((each) => selfGrowth(each) > 0 || totalGrowth(each) > 0)
      .sort(
        (a, b) =>
          selfGrowth(b) - selfGrowth(a) || totalGrowth(b) - totalGrowth(a) || (a.name < b.name ? -1 : 1),
      )
      .slice(0, functionsMax),
  };
  return { comparison, grown: rise > 0 ? grownFunctions(changes, { ...factors, whole: values.after }) : [] };
}

/** Largest growth first. In profiles without code of the application, the self values of all functions count. */
function grownFunctions(
  changes: readonly FunctionChange[],
  { column, request, rise, whole }: Factors & { readonly whole: number },
): GrownFunction[] {
  const hasOwn = changes.some(({ ownBefore, ownAfter }) => ownBefore + ownAfter > 0);
  const partOf = (sum: number) => (whole > 0 ? Math.min(1, Math.max(0, (sum * column.after) / whole)) : 0);
  return changes
    .map(({ name, file, line, ...sums }): GrownFunction => {
      const own = hasOwn
        ? { before: sums.ownBefore, after: sums.ownAfter }
        : { before: sums.selfBefore, after: sums.selfAfter };
      const values = scaled(own, column);
      return {
        name,
        file,
        line,
        values,
        perRequest: request && scaled(own, request),
        share: (values.after - values.before) / rise,
        isNew: sums.totalBefore === 0,
        selfShare: partOf(sums.selfAfter),
        totalShare: partOf(sums.totalAfter),
      };
    })
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
}

/** Requests per second of one instance; undefined unless both ranges have requests. */
function requestRates(before: ComparedRange, after: ComparedRange): Both | undefined {
  if (before.traffic === undefined || after.traffic === undefined) return undefined;
  return { before: before.traffic.requestsPerSecond, after: after.traffic.requestsPerSecond };
}

interface Factors {
  readonly column: Both;
  readonly request: Both | undefined;
  readonly rise: number;
}

function toChanged(
  { selfBefore, selfAfter, totalBefore, totalAfter, ...place }: FunctionChange,
  { column, request, rise }: Factors,
): Changed {
  const self = scaled({ before: selfBefore, after: selfAfter }, column);
  const total = scaled({ before: totalBefore, after: totalAfter }, column);
  return {
    ...place,
    self_before: self.before,
    self_after: self.after,
    total_before: total.before,
    total_after: total.after,
    per_request_before: perRequest(totalBefore, request?.before),
    per_request_after: perRequest(totalAfter, request?.after),
    share: rise > 0 ? (self.after - self.before) / rise : 0,
    is_new: totalBefore === 0,
  };
}

function perRequest(sum: number, factor: number | undefined): number | null {
  return factor === undefined ? null : sum * factor;
}

function selfGrowth(changed: Changed): number {
  return changed.self_after - changed.self_before;
}

function totalGrowth(changed: Changed): number {
  return changed.total_after - changed.total_before;
}
