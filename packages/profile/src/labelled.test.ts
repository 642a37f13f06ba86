import { describe, expect, it } from "vitest";
import { functionTotals } from "./describe/function-totals.ts";
import { readProfile } from "./read/read-profile.ts";
import { sumStacks } from "./stacks/sum-stacks.ts";
import {
  inflatedLabelled,
  type LabelledService,
  labelledNames,
  labelledServices,
  plainName,
} from "./testing/labelled.ts";

/** The sample types of shares and of counts; the first that a profile has. */
const sampleTypes = {
  cpu: { share: ["cpu"], count: ["cpu_samples", "samples"] },
  memory: { share: ["alloc_in_new_tlab_bytes"], count: ["alloc_in_new_tlab_objects"] },
  mutex: { share: ["lock_time"], count: ["lock_count"] },
} as const;
/** Python's profiler writes no count. */
const pythonPeriodNs = 5_000_000;

const services = labelledServices();

function stacksOf(service: LabelledService) {
  const read = readProfile(inflatedLabelled(service));
  if (!read.ok) throw new Error(`${service.language}/${service.id}: ${read.error.message}`);
  return { profile: read.profile, stacks: sumStacks(read.profile) };
}

function weightsOf(service: LabelledService, column: "share" | "count") {
  const { profile, stacks } = stacksOf(service);
  const types: readonly string[] = sampleTypes[service.type][column];
  const index = profile.sampleTypes.findIndex(({ type }) => types.includes(type));
  const weights = Float64Array.from(stacks.values[index] ?? [], Number);
  return { stacks, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

function samplesOf(service: LabelledService): number {
  if (service.language !== "python") return weightsOf(service, "count").total;
  return weightsOf(service, "share").total / pythonPeriodNs;
}

/** The largest share of the right functions. */
function shareOf(service: LabelledService): number {
  const { stacks, weights, total } = weightsOf(service, "share");
  const { names, cum } = functionTotals(stacks, weights);
  const right = service.planted?.functions ?? [];
  return names.reduce(
    (share, name, i) => (right.includes(plainName(name)) ? Math.max(share, cum[i]! / total) : share),
    0,
  );
}

describe("the labelled services", () => {
  it.each([
    ["java", 20],
    ["node", 40],
    ["python", 40],
  ] as const)("of %s are %d with a problem and 8 that are busy, each recorded", (language, planted) => {
    const of = services.filter((service) => service.language === language);
    expect(of.filter((service) => service.planted !== undefined)).toHaveLength(planted);
    expect(of.filter(({ planted }) => planted === undefined)).toHaveLength(8);
    expect(labelledNames(language).sort()).toEqual(of.map(({ id }) => id).sort());
  });

  it("have at least 500 samples each", () => {
    const counts = services.map((service) => [service.language, service.id, samplesOf(service)] as const);
    expect(counts.filter(([, , count]) => count < 500)).toEqual([]);
    expect(counts).toHaveLength(124);
  });

  it("show the planted problem in a function that has it", () => {
    const planted = services.filter((service) => service.planted !== undefined);
    const shares = planted.map((service) => [service.language, service.id, shareOf(service)] as const);
    const small = shares.filter(([, , share]) => share < 0.03);
    // Its queries run after an await: their stacks do not have the function that asks.
    expect(small.map(([language, id]) => `${language}/${id}`)).toEqual(["node/playlists"]);
    expect(shares).toHaveLength(100);
  });
});
