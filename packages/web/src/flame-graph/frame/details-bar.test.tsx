// @vitest-environment happy-dom
import { buildCallTree, layOut, pruneTree } from "@flamekeep/flame";
import { shareScale } from "@flamekeep/flame/compare";
import { compared, stacksOf } from "@flamekeep/flame/testing";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { scalingOf } from "#flame-graph/reading/change-text.ts";
import { comparedReading } from "#flame-graph/reading/compared.tsx";
import { singleReading } from "#flame-graph/reading/single.tsx";
import { DetailsBar } from "./details-bar.tsx";
import { HoverStore } from "./hover-store.ts";

afterEach(cleanup);

test("small frames that were left out have their own values, not those of their caller", () => {
  const whole = compared("main;a 80\nmain;b 10\nmain;c 10", "main;a 60\nmain;b 20\nmain;c 20");
  const scale = shareScale(whole);
  const comparison = pruneTree(layOut(whole, scale), { maxNodes: 3 });
  const tree = layOut(comparison, scale);
  expect(tree.elisions.length).toBe(1);
  const hover = new HoverStore();
  const normalisation = { per: "profile", before: 1, after: 1 } as const;
  const scaling = scalingOf(comparison, { type: "cpu" }, "relative", normalisation);
  const { container } = render(
    <DetailsBar
      reading={comparedReading(scaling, { by: "self", profileType: "cpu" })}
      lower={{ tree, hover, selected: -1 }}
      zoom={1}
      upper={{ tree: null, hover: new HoverStore(), selected: -1 }}
    />,
  );
  const values = () => [...container.querySelectorAll("dd")].map(({ textContent }) => textContent);
  expect(container.textContent).toContain("Self: 0% before, 0% after, same");
  expect(values()[0]).toContain("100%");
  act(() => void hover.set({ kind: "elided", parent: 1 }));
  expect(container.textContent).toContain("2 small frames left out under main");
  expect(container.textContent).not.toContain("Self");
  expect(values().slice(0, 2)).toEqual(["Before20%", "After40%"]);
});

test("a graph without a selection names its hottest function, and a click selects it", () => {
  const tree = buildCallTree(stacksOf("main.run;a/b.F 3\nmain.run;runtime.futex 5"), 0);
  const select = vi.fn();
  const hover = new HoverStore();
  const { container } = render(
    <DetailsBar
      reading={singleReading}
      lower={{ tree, hover, selected: -1 }}
      zoom={0}
      upper={{ tree: null, hover: new HoverStore(), selected: -1 }}
      onSelectFunction={select}
    />,
  );
  expect(container.textContent).toMatch(/Hottest outside the runtime:\s*b\.F\s*37\.5% self/);
  fireEvent.click(screen.getByRole("button", { name: "b.F" }));
  expect(select).toHaveBeenCalledWith(tree.functions.name.indexOf("a/b.F"));
  act(() => void hover.set({ kind: "frame", node: 1 }));
  expect(container.textContent).not.toContain("Hottest");
});
