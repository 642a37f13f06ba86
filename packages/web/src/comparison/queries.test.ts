import { expect, it } from "vitest";
import { diffQuery } from "./queries.ts";

it("another view of the same comparison needs no other call", () => {
  const search = { service: "checkout", type: "cpu", before_from: "2h", after_from: "1h" } as const;
  const transformed = { zoom: "0", focus: "0", callers: "0.1", transforms: "invert" };
  const view = {
    mode: "relative",
    layout: "sides",
    color: "total",
    fn: "main.main",
    q: "gc",
    pane: "tree",
  } as const;
  expect(diffQuery({ ...search, ...transformed, ...view }).queryKey).toEqual(diffQuery(search).queryKey);
});
