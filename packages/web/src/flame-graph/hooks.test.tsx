// @vitest-environment happy-dom
import { buildCallTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useMatchSteps } from "./search/use-match-steps.ts";
import { useSearch } from "./search/use-search.ts";
import { useShortcuts } from "./toolbar/use-shortcuts.ts";

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

function Page({ pressed }: { readonly pressed: string[] }) {
  useShortcuts({ r: () => pressed.push("r"), escape: () => pressed.push("escape") });
  return (
    <>
      <p>text</p>
      <input aria-label="name" />
      <div role="dialog">
        <button type="button">in dialog</button>
      </div>
      <button type="button" role="combobox" aria-expanded="false" aria-controls="options">
        select
      </button>
    </>
  );
}

describe("useShortcuts", () => {
  it("runs the action of a key in any case, also on a closed select", () => {
    const pressed: string[] = [];
    render(<Page pressed={pressed} />);
    fireEvent.keyDown(screen.getByText("text"), { key: "R" });
    fireEvent.keyDown(screen.getByText("text"), { key: "Escape" });
    fireEvent.keyDown(screen.getByRole("combobox"), { key: "r" });
    expect(pressed).toEqual(["r", "escape", "r"]);
  });

  it("ignores keys with a modifier, during text input and in dialogs", () => {
    const pressed: string[] = [];
    render(<Page pressed={pressed} />);
    fireEvent.keyDown(screen.getByText("text"), { key: "r", ctrlKey: true });
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "r" });
    fireEvent.keyDown(screen.getByText("in dialog"), { key: "r" });
    fireEvent.keyDown(screen.getByText("text"), { key: "x" });
    expect(pressed).toEqual([]);
  });
});
