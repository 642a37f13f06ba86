import { expect, it } from "vitest";
import { comparedSearch } from "./compare-entries.tsx";
import type { Explore } from "./use-explore.ts";

const explore = {
  service: "checkout",
  tab: "cpu",
  active: { from: "24h", to: "now" },
  sampleType: "cpu",
  tags: { region: "eu" },
  labels: { handler: "/pay" },
  groupBy: "version",
  splitLabel: undefined,
} as unknown as Explore;
const common = {
  service: "checkout",
  type: "cpu",
  sample_type: "cpu",
  before_from: "24h",
  before_to: "now",
  after_from: "24h",
  after_to: "now",
};

it("two values of the grouped tag are compared with the filters of the page", () => {
  expect(comparedSearch(explore, "v1.8.0", "v1.9.0")).toEqual({
    ...common,
    before_tags: { region: "eu", version: "v1.8.0" },
    after_tags: { region: "eu", version: "v1.9.0" },
    before_labels: { handler: "/pay" },
    after_labels: { handler: "/pay" },
  });
});

it("two values of the label that splits the timeline are compared, also samples without it", () => {
  const split = { ...explore, groupBy: undefined, splitLabel: "tenant", tags: {}, labels: {} };
  expect(comparedSearch(split, "a", "")).toEqual({
    ...common,
    before_tags: undefined,
    after_tags: undefined,
    before_labels: { tenant: "a" },
    after_labels: { tenant: "" },
  });
});
