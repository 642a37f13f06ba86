// @vitest-environment happy-dom
import { buildCallTree, formatPercent, searchTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useRef, useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SearchBox } from "./search-box.tsx";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  window.history.replaceState(null, "", "/");
});

const tree = buildCallTree(stacksOf("main.run;a/json.Encode 50\nmain.run;c/log.Print 20\nruntime.gc 5"), 0);
const generic = buildCallTree(
  stacksOf("main.run;main.Less[go.shape.int] 20\nmain.run;main.Less[go.shape.string] 40"),
  0,
);
const steps: number[] = [];

function Box({ of = tree, isSearching = false }) {
  const [text, setText] = useState("");
  const [selected, setSelected] = useState("");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <SearchBox
        tree={of}
        text={text}
        result={text === "" || isSearching ? null : searchTree(of, text)}
        shareOf={({ values: [value = 0] }) => formatPercent(value, 75)}
        inputRef={input}
        onSearch={setText}
        onStep={(by) => steps.push(by)}
        onSelect={(fn, found) => {
          setSelected(of.functions.name[fn]!);
          setText(found);
        }}
      />
      <output aria-label="selected">{selected}</output>
    </>
  );
}

const box = () => screen.getByRole<HTMLInputElement>("combobox");
const type = (value: string) => fireEvent.change(box(), { target: { value } });
const press = (key: string, more = {}) => fireEvent.keyDown(box(), { key, ...more });
const options = () => screen.queryAllByRole("option").map((option) => option.textContent);
const status = () => screen.getAllByRole("status")[0]?.textContent;

describe("the search box", () => {
  it("suggests functions with their share, chosen by arrow keys and Enter", () => {
    render(<Box />);
    type("n");
    expect(options()).toEqual(["main.run93.3%", "json.Encode66.7%", "log.Print26.7%", "runtime.gc6.7%"]);
    press("ArrowDown");
    press("ArrowDown");
    const active = document.getElementById(box().getAttribute("aria-activedescendant") ?? "");
    expect(active?.textContent).toContain("json.Encode");
    press("Enter");
    expect(screen.getByLabelText("selected").textContent).toBe("a/json.Encode");
    expect(box().value).toBe("a/json.Encode");
    expect(options()).toEqual([]);
  });

  it("chooses a suggestion by click, and comes back to the text before the first one", () => {
    render(<Box />);
    type("log");
    press("ArrowDown");
    press("ArrowUp");
    expect(box().getAttribute("aria-activedescendant")).toBeNull();
    fireEvent.click(screen.getByRole("option"));
    expect(screen.getByLabelText("selected").textContent).toBe("c/log.Print");
  });

  it("says what the text is, and what is wrong with an expression", () => {
    render(<Box />);
    type("json");
    press("Enter");
    expect(status()).toBe("Text: 66.7% in 1 function, 1 frame");
    type("json|log");
    press("Enter");
    expect(status()).toBe("Any of 2 texts: 93.3% in 2 functions, 2 frames");
    type("/^run/");
    press("Enter");
    expect(status()).toBe("Regular expression: 6.7% in 1 function, 1 frame");
    type("/(run/");
    expect(status()).toBe("An opening bracket ( is not closed.");
    expect(box().getAttribute("aria-invalid")).toBe("true");
  });

  it("says that a copy of a generic function is found in the sum of all copies", () => {
    render(<Box of={generic} />);
    type("main.Less[go.shape.int]");
    press("Enter");
    expect(status()).toBe(
      'Text: 80.0% in 1 function, 1 frame. Sum of all 2 copies of main.Less; Transform, "By instantiation of generics" separates them',
    );
    type("main.Less");
    press("Enter");
    expect(status()).toBe("Text: 80.0% in 1 function, 1 frame");
  });

  it("closes its suggestions with Escape, and keeps the text", () => {
    render(<Box />);
    type("json");
    expect(options().length).toBe(1);
    press("Escape");
    expect([options().length, box().value]).toEqual([0, "json"]);
  });

  it("walks the matches with Enter and Shift+Enter, from the first Enter on, and is emptied by Escape", () => {
    steps.length = 0;
    render(<Box />);
    type("json");
    press("Enter");
    expect(steps).toEqual([1]);
    press("Enter");
    press("Enter", { shiftKey: true });
    expect(steps).toEqual([1, 1, -1]);
    box().focus();
    press("Escape");
    expect(box().value).toBe("");
    expect(document.activeElement).toBe(box());
    press("Escape");
    expect(document.activeElement).not.toBe(box());
  });

  it("searches after a pause, unless another page was opened meanwhile", () => {
    vi.useFakeTimers();
    render(<Box />);
    type("json");
    act(() => vi.advanceTimersByTime(1000));
    expect(status()).toBe("Text: 66.7% in 1 function, 1 frame");
    type("log");
    window.history.pushState(null, "", "/alerts");
    act(() => vi.advanceTimersByTime(1000));
    expect(status()).toBe("Text: 66.7% in 1 function, 1 frame");
    type("log.");
    act(() => vi.advanceTimersByTime(1000));
    expect(status()).toBe("Text: 26.7% in 1 function, 1 frame");
  });

  it("goes to the first match when a search that was running at Enter is done", async () => {
    steps.length = 0;
    const { rerender } = render(<Box isSearching />);
    type("json");
    await screen.findByDisplayValue("json");
    press("Enter");
    press("Enter");
    expect(steps).toEqual([]);
    rerender(<Box />);
    expect(steps).toEqual([1]);
  });
});
