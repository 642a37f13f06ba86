// @vitest-environment happy-dom
import { layOut } from "@flamekeep/flame";
import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { compared } from "@flamekeep/flame/testing";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { scalingOf } from "#flame-graph/reading/change-text.ts";
import { WhatChanged } from "./what-changed.tsx";

afterEach(cleanup);

const side: SideMeta = {
  profileId: null,
  service: "checkout",
  from: "2026-11-20T10:00:00.000Z",
  to: "2026-11-20T11:00:00.000Z",
  tags: {},
  profiles: 12,
  durationMs: 120_000,
  total: 5,
};
const meta: ComparisonMeta = {
  type: "cpu",
  hash: "h",
  sampleTypes: ["cpu/nanoseconds"],
  aggregation: "sum",
  before: side,
  after: side,
  normalisations: [{ per: "request", before: 10, after: 10 }],
  noRequests: null,
};

function show(before: string, after: string, mode: "absolute" | "relative" = "absolute", selected = "") {
  const comparison = { ...compared(before, after), valueType: { type: "cpu", unit: "nanoseconds" } };
  const scaling = scalingOf(comparison, meta, mode, meta.normalisations[0]);
  const on = { onSelect: vi.fn(), onPoint: vi.fn() };
  render(
    <WhatChanged
      tree={layOut(comparison, scaling.scale)}
      {...{ meta, scaling, selected, ...on }}
      deploy="version: 1 → 2"
    />,
  );
  return on;
}

const rows = () => within(screen.getByRole("list")).getAllByRole("button");
const texts = () => rows().map((row) => row.textContent?.replaceAll("\u00a0", " "));

const before = "main;serve;hash 1000000\nmain;serve;log 500000\nmain;old 300000\nidle 5";
const after = "main;serve;hash 3000000\nmain;serve;log 200000\nmain;serve;fresh 600000\nidle 5";

describe("what changed", () => {
  it("has a headline, and a row for each of the functions that it counts", () => {
    show(before, after);
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe(
      "4 functions explain 100% of the change",
    );
    expect(screen.getByText(/CPU time by self value, per request/).textContent).toContain("version: 1 → 2");
    expect(texts()).toEqual([
      "hashgrewmain › serve+200 µs+200.0%62.5% of the change",
      "freshnewmain › serve+60 µsnew18.8% of the change",
      "logshrankmain › serve−30 µs−60.0%9.4% of the change",
      "oldgonemain−30 µsgone9.4% of the change",
    ]);
  });

  it("compares shares where the graph does", () => {
    show("a 75\nb 25", "a 25\nb 75", "relative");
    expect(texts()).toEqual([
      "ashrank−50 points−66.7%50.0% of the change",
      "bgrew+50 points+200.0%50.0% of the change",
    ]);
    expect(screen.getByText(/Growth and decline cancel out in the total/)).toBeDefined();
  });

  it("points at functions, and selects one until it is clicked again", () => {
    const { onSelect, onPoint } = show(before, after, "absolute", "hash");
    const [hash, fresh] = rows();
    fireEvent.pointerEnter(fresh!);
    fireEvent.pointerLeave(screen.getByRole("list"));
    fireEvent.click(fresh!);
    fireEvent.click(hash!);
    expect(onPoint.mock.calls).toEqual([["fresh"], [""]]);
    expect(onSelect.mock.calls).toEqual([["fresh"], [""]]);
    expect([hash, fresh].map((row) => row!.getAttribute("aria-pressed"))).toEqual(["true", "false"]);
  });

  it("says that nothing changed, and that a change is spread", () => {
    show("a 10", "a 10");
    expect(screen.getByRole("heading").textContent).toBe("No function's self value changed");
    cleanup();
    const many = Array.from({ length: 50 }, (_, at) => `f${at} 1`).join("\n");
    show(many, many.replaceAll(" 1", " 2"));
    expect(screen.getByRole("heading").textContent).toBe(
      "Spread over 50 functions: each is less than 5% of the change",
    );
    expect(rows()).toHaveLength(3);
    fireEvent.click(screen.getByRole("button", { name: "Show 30 of 50 functions" }));
    expect(rows()).toHaveLength(30);
  });
});
