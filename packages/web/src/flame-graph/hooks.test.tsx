// @vitest-environment happy-dom
import { buildCallTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useSearch } from "./panel/use-scene.ts";
import { useMatchSteps } from "./search/use-match-steps.ts";

afterEach(cleanup);

const patience = { timeout: 30_000 };
const tree = buildCallTree(stacksOf("main;json 50\nmain;log 30\nmain;log;json 20\ngc 10"), 0);
const nameAt = (node: number) => tree.functions.name[tree.fn[node]!];

describe("useSearch", () => {
  it("returns the matches of the current text, and null without one", () => {
    const { result, rerender } = renderHook(({ text }) => useSearch(tree, text), {
      initialProps: { text: "" },
    });
    expect(result.current).toBeNull();
    rerender({ text: "json" });
    expect(result.current).toMatchObject({ query: "json", frameCount: 2, functionCount: 1 });
    rerender({ text: "" });
    expect(result.current).toBeNull();
  });

  it("finds nothing, rather than no function, with an expression that cannot be read", () => {
    const { result, rerender } = renderHook(({ text }) => useSearch(tree, text), {
      initialProps: { text: "json" },
    });
    rerender({ text: "/[/" });
    expect(result.current).toBeNull();
    rerender({ text: "/^json$/" });
    expect(result.current?.frameCount).toBe(2);
  });

  it("searches a large tree over several frames and keeps the previous result meanwhile", async () => {
    const lines = Array.from({ length: 21_000 }, (_, each) => `main;f${each} 1`);
    const large = buildCallTree(stacksOf(lines.join("\n")), 0);
    const { result, rerender } = renderHook(({ text }) => useSearch(large, text), {
      initialProps: { text: "f1" },
    });
    expect(result.current).toBeNull();
    await waitFor(() => expect(result.current?.query).toBe("f1"), patience);
    rerender({ text: "f20999" });
    expect(result.current?.query).toBe("f1");
    await waitFor(() => expect(result.current).toMatchObject({ query: "f20999", frameCount: 1 }), patience);
  });
});

describe("useMatchSteps", () => {
  it("cycles through the matches from the widest in both directions", () => {
    const search = renderHook(() => useSearch(tree, "json")).result.current;
    const visited: number[] = [];
    const { result } = renderHook(() => useMatchSteps(tree, search, (node) => visited.push(node)));
    for (const direction of [1, 1, 1, -1] as const) result.current(direction);
    expect(visited.map((node) => [nameAt(node), tree.total[node]])).toEqual([
      ["json", 50],
      ["json", 20],
      ["json", 50],
      ["json", 20],
    ]);
  });

  it("does nothing without a search", () => {
    const { result } = renderHook(() => useMatchSteps(tree, null, () => expect.unreachable()));
    result.current(1);
  });
});
