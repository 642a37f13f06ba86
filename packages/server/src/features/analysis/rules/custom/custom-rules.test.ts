import { expect, it } from "vitest";
import { runRules } from "#rules/run/run-rules.ts";
import { Subject } from "#rules/subject.ts";
import { drawnSubject } from "#rules/testing/subject-of-picture.ts";

const picture = `
  main.serve      main.serve
  shop.open       shop.list
  80              20`;

function withLabels(values: readonly number[]): Subject {
  const { index } = drawnSubject("custom", picture, ["open_carts/count"]);
  const labels = values.map((total, i) => ({ key: "tenant", value: `t${i}`, totals: [total] }));
  return new Subject({
    type: "custom",
    stacks: index.stacks,
    sampleType: 0,
    durationNs: 0,
    timeMs: 0,
    labels: () => ({ labels, count: labels.length }),
  });
}

it("a label value that has most of a profile is named", () => {
  const [finding] = runRules(withLabels([10, 70, 10, 10]));
  expect(finding).toMatchObject({ rule: "label-skew", priority: "low" });
  expect(finding!.issue).toContain(" = t1 has 70% of the profile");
  expect(runRules(withLabels([25, 25, 25, 25]))).toEqual([]);
  expect(runRules(withLabels([90, 10]))).toEqual([]);
});

it("wall time in waits of requests is named, and time of other units is none", () => {
  const waits = `
    main.main               main.main
    shop.price              shop.sum
    runtime.selectgo
    70                      30`;
  expect(runRules(drawnSubject("custom", waits, ["wall/nanoseconds"]))).toMatchObject([
    { rule: "waiting-wall-time", priority: "medium", functions: [{ name: "shop.price" }, {}, {}] },
  ]);
  expect(runRules(drawnSubject("custom", waits, ["open_carts/count"]))).toEqual([]);
});
