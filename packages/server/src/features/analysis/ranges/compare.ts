import type { Comparison } from "@flamekeep/contract";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { FunctionChange } from "./function-changes.ts";
import { type Both, type ComparedRange, ratesOf, scalesOf } from "./scales.ts";

type Changed = Comparison["functions"][number];

const functionsMax = 20;

/** Compares the values of two ranges, and lists the functions that grew. */
export function compareRanges(
  before: ComparedRange,
  after: ComparedRange,
  changes: readonly FunctionChange[],
): Comparison {
  const { unit } = toValueType(after.sampleType);
  const { kind, total, column } = scalesOf(before, after);
  const requests = ratesOf(before, after);
  const rates = kind === "rate" ? requests : undefined;
  const values = { before: before.total * total.before, after: after.total * total.after };
  const rise = values.after - values.before;
  return {
    sample_type: after.sampleType,
    unit: { mean: unit, rate: `${unit} per second`, profile: `${unit} per profile` }[kind],
    before: { per_second: values.before, per_request: perRequest(values.before, rates?.before) },
    after: { per_second: values.after, per_request: perRequest(values.after, rates?.after) },
    increase: values.before > 0 ? rise / values.before : null,
    requests_per_second_before: requests?.before ?? null,
    requests_per_second_after: requests?.after ?? null,
    functions: changes
      .map((change) => toChanged(change, { column, rates, rise }))
      .filter((each) => selfGrowth(each) > 0 || totalGrowth(each) > 0)
      .sort(
        (a, b) =>
          selfGrowth(b) - selfGrowth(a) || totalGrowth(b) - totalGrowth(a) || (a.name < b.name ? -1 : 1),
      )
      .slice(0, functionsMax),
  };
}

interface Normalisation {
  readonly column: Both;
  readonly rates: Both | undefined;
  readonly rise: number;
}

function toChanged(
  { selfBefore, selfAfter, totalBefore, totalAfter, ...place }: FunctionChange,
  { column, rates, rise }: Normalisation,
): Changed {
  const self = { before: selfBefore * column.before, after: selfAfter * column.after };
  const total = { before: totalBefore * column.before, after: totalAfter * column.after };
  return {
    ...place,
    self_before: self.before,
    self_after: self.after,
    total_before: total.before,
    total_after: total.after,
    per_request_before: perRequest(total.before, rates?.before),
    per_request_after: perRequest(total.after, rates?.after),
    share: rise > 0 ? (self.after - self.before) / rise : 0,
    is_new: totalBefore === 0,
  };
}

function perRequest(value: number, rate: number | undefined): number | null {
  return rate === undefined ? null : value / rate;
}

function selfGrowth(changed: Changed): number {
  return changed.self_after - changed.self_before;
}

function totalGrowth(changed: Changed): number {
  return changed.total_after - changed.total_before;
}
