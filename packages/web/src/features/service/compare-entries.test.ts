import { expect, it } from "vitest";
import { comparedSearch } from "./compare-entries.tsx";
import type { Explore } from "./use-explore.ts";

const explore = {
  service: "checkout",
  tab: "cpu",
  selection: undefined,
  time: { range: { kind: "last", span: "24h" } },
  sampleType: "cpu",
  tags: { region: "eu" },
  labels: { handler: "/pay" },
  groupBy: "version",
  splitLabel: undefined,
} as unknown as Explore;
const nowMs = Date.parse("2026-11-20T10:00:00Z");
const common = {
  service: "checkout",
  type: "cpu",
  sample_type: "cpu",
  before_from: "2026-11-19T10:00:00Z",
  before_to: "2026-11-20T10:00:00Z",
  after_from: "2026-11-19T10:00:00Z",
  after_to: "2026-11-20T10:00:00Z",
};

it("two values of the grouped tag are compared with the filters of the page", () => {
  expect(comparedSearch(explore, ["v1.8.0", "v1.9.0"], nowMs)).toEqual({
    ...common,
    before_tags: { region: "eu", version: "v1.8.0" },
    after_tags: { region: "eu", version: "v1.9.0" },
    before_labels: { handler: "/pay" },
    after_labels: { handler: "/pay" },
  });
});

it("two values of the label that splits the timeline are compared, also samples without it", () => {
  const split = { ...explore, groupBy: undefined, splitLabel: "tenant", tags: {}, labels: {} };
  expect(comparedSearch(split, ["a", ""], nowMs)).toEqual({
    ...common,
    before_tags: undefined,
    after_tags: undefined,
    before_labels: { tenant: "a" },
    after_labels: { tenant: "" },
  });
});
