import { expect, test } from "vitest";
import { labelParams, rowsOf, toggled } from "./model.ts";

const handler = {
  name: "handler",
  total: 80,
  values: [
    { value: "/checkout", total: 50 },
    { value: "/cart", total: 20 },
  ],
  values_total: 5,
  folded_total: 4,
};

test("rows of a label sum to the whole, with what is folded and what lacks the label", () => {
  const rows = rowsOf(handler, 100);
  expect(rows.map(({ text, value, total, share }) => [text, value, total, share])).toEqual([
    ["/checkout", "/checkout", 50, 0.5],
    ["/cart", "/cart", 20, 0.2],
    ["Further values, folded or not listed", undefined, 10, 0.1],
    ["Without handler", "", 20, 0.2],
  ]);
  expect(rowsOf({ ...handler, total: 70 }, 70)).toHaveLength(2);
  expect(rowsOf({ ...handler, total: 0, values: [] }, 0)).toEqual([]);
});

test("a value is chosen, replaced and left out again", () => {
  expect(toggled({}, "handler", "/a")).toEqual({ handler: "/a" });
  expect(toggled({ handler: "/a", tenant: "x" }, "handler", "")).toEqual({ handler: "", tenant: "x" });
  expect(toggled({ handler: "/a" }, "handler", "/a")).toBeUndefined();
});

test("filters are named as the call takes them", () => {
  expect(labelParams({})).toEqual({});
  expect(labelParams({ handler: "/a:b", tenant: "" })).toEqual({ labels: ["handler:/a:b", "tenant:"] });
});
