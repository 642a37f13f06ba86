// @vitest-environment happy-dom
import { buildCallTree, defaultFlameView, pruneTree } from "@flamekeep/flame";
import { compared, stacksOf } from "@flamekeep/flame/testing";
import { chainOf } from "@flamekeep/flame/transform";
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { viewFromHalf, viewOfHalf } from "#flame-graph/panel/use-workspace.ts";
import {
  comparisonNotice,
  comparisonSummary,
  treeNotice,
  treeSummary,
} from "#flame-graph/reading/summary.ts";
import { toggled, transformed, undone } from "./apply.ts";
import { transformLabel } from "./labels.ts";
import { TransformBar } from "./transform-bar.tsx";
import { useTransformed } from "./use-transformed.ts";

afterEach(cleanup);

const tree = buildCallTree(stacksOf("main;serve;json 50\nmain;log;json 30\ngc 20"), 0);
const nameAt = (of: typeof tree, node: number) => of.functions.name[of.fn[node]!];

describe("a transformed graph", () => {
  it("has two halves where the chain has a sandwich, wherever it is", () => {
    for (const text of [
      "sandwich:json;hide:serve",
      "hide:serve;sandwich:json",
      "hide:serve;invert;sandwich:json",
    ]) {
      const { shown, callers } = transformed(tree, text);
      expect([nameAt(shown, 1), shown.total[1]]).toEqual(["json", 80]);
      expect([nameAt(callers!, 2), callers!.total[2], nameAt(callers!, 3)]).toEqual(["main", 50, "log"]);
    }
    const halves = transformed(compared("a;b 1", "a;b 3"), "sandwich:b");
    expect(halves.callers?.columns[1]?.total[0]).toBe(3);
  });

  it("is the tree before until the code is loaded, then follows the chain", async () => {
    const { result, rerender } = renderHook(({ text }) => useTransformed(tree, text), {
      initialProps: { text: "" },
    });
    expect(result.current?.shown).toBe(tree);
    rerender({ text: "focus:gc" });
    await waitFor(() => expect(result.current?.shown.total[0]).toBe(20));
    rerender({ text: "" });
    expect(result.current?.shown).toBe(tree);
  });
});

describe("the words of a chain", () => {
  it("name each step with the short form of its function, or the whole", () => {
    const text =
      "focus:github.com/acme/shop/cart.(*Cart).Add;hide-package:net/http;show-module:main;ignore-search:json;collapse;collapse:a.b;hide-runtime;my-code;invert;sandwich:a/b.C";
    expect(chainOf(text).map((step) => transformLabel(step))).toEqual([
      "Show only stacks through cart.(*Cart).Add",
      "Hide package net/http",
      "Only module main",
      "Exclude stacks through matches of json",
      "Collapse recursion",
      "Collapse recursion of a.b",
      "Hide runtime",
      "Only my code",
      "Inverted",
      "Callers and callees of b.C",
    ]);
    expect(transformLabel(chainOf(text)[0]!, true)).toBe(
      "Show only stacks through github.com/acme/shop/cart.(*Cart).Add",
    );
  });

  it("say what is left, and what the server left out before", () => {
    expect(treeSummary(transformed(tree, "focus:json").shown, tree)).toBe(
      "Shows 80.0% of the total, 5 frames.",
    );
    expect(treeNotice(tree)).toBe("");
    expect(treeNotice(pruneTree(tree, { maxNodes: 4 }))).toBe(
      "The server left out 3 small frames with 50.0% of the total. Transforms do not apply to them.",
    );
    const comparison = compared("a 10\nb 30", "a 10\nb 10");
    const shown = transformed(comparison, "focus:a").shown;
    expect(comparisonSummary(shown, comparison)).toBe(
      "25.0% of the total before and 50.0% after, in 1 frame.",
    );
    expect(comparisonNotice(comparison)).toBe("");
  });
});

it("toggles and undoes steps", () => {
  expect(toggled("hide:a", { name: "invert" })).toBe("hide:a;invert");
  expect(toggled("invert;hide:a", { name: "invert" })).toBe("hide:a");
  expect(undone("hide:a;invert")).toBe("hide:a");
});

it("shows the function of a sandwich as the root of both halves, without a trace in the link", () => {
  const half = viewOfHalf(defaultFlameView);
  expect(half).toMatchObject({ zoom: "0", focus: "0" });
  expect(viewFromHalf(half)).toEqual(defaultFlameView);
  const zoomed = { ...defaultFlameView, zoom: "0.1" };
  expect(viewFromHalf(viewOfHalf(zoomed))).toEqual(zoomed);
});

describe("the bar of steps", () => {
  const chain = "focus:json;invert";
  const bar = (changes: string[]) =>
    render(
      <TransformBar
        text={chain}
        onChange={(text) => changes.push(text)}
        summary="Shows 80.0% of the total, 5 frames."
        notice=""
      />,
    );

  it("removes a step, undoes the last and removes all, and keeps the focus", () => {
    const changes: string[] = [];
    bar(changes);
    fireEvent.click(screen.getByRole("button", { name: "Remove: Show only stacks through json" }));
    expect(document.activeElement).toBe(screen.getByRole("group", { name: "Transforms" }));
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    fireEvent.click(screen.getByRole("button", { name: "Remove all" }));
    expect(changes).toEqual(["invert", "focus:json", ""]);
  });
});
