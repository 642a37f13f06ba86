import { expect, test } from "vitest";
import { SeriesLabels } from "./sample-labels.ts";

const sets = (key: string, ...values: string[]) => values.map((value) => new Map([[key, value]]));

test("a label is beyond the limit once its profiles had more values, in its own series only", () => {
  const labels = new SeriesLabels();
  labels.add("a", sets("tenant", "x", "y"), 2);
  labels.add("a", sets("tenant", "y", "x"), 2);
  labels.add("a", sets("handler", "/cart"), 2);
  expect(labels.isBeyond("a", "tenant", 2)).toBe(false);
  labels.add("a", sets("tenant", "z"), 2);
  expect(labels.isBeyond("a", "tenant", 2)).toBe(true);
  expect(labels.isBeyond("a", "handler", 2)).toBe(false);
  expect(labels.isBeyond("b", "tenant", 2)).toBe(false);
});

test("the series that had no profile for longest is forgotten", () => {
  const labels = new SeriesLabels(6);
  labels.add("a", sets("tenant", "x", "y"), 1);
  labels.add("b", sets("tenant", "x", "y"), 1);
  labels.add("a", sets("tenant", "x"), 1);
  labels.add("c", sets("tenant", "x", "y"), 1);
  expect(["a", "b", "c"].map((series) => labels.isBeyond(series, "tenant", 1))).toEqual([true, false, true]);
});
