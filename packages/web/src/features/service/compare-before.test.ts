// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { comparedSpans } from "./compare-before.tsx";

const at = (hour: number) => Date.UTC(2026, 10, 20, hour);

it("a span is compared with the time before it", () => {
  expect(comparedSpans({ fromMs: at(10), toMs: at(12) }, undefined)).toEqual({
    before: { fromMs: at(8), toMs: at(10) },
    after: { fromMs: at(10), toMs: at(12) },
  });
});

it("the time since an increase is compared with as long before it", () => {
  expect(comparedSpans({ fromMs: at(6), toMs: at(17) }, at(14))).toEqual({
    before: { fromMs: at(11), toMs: at(14) },
    after: { fromMs: at(14), toMs: at(17) },
  });
});

it.each([6, 5, 17, 18])("an increase at %d h does not divide a span from 6 h to 17 h", (hour) => {
  expect(comparedSpans({ fromMs: at(6), toMs: at(17) }, at(hour)).after.fromMs).toBe(at(6));
});
