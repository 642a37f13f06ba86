// @vitest-environment happy-dom
import { buildCallTree, type CallTree, functionNamed, pruneTree, searchTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { singleReading } from "#flame-graph/reading/single.tsx";
import { CallTreeGrid } from "./call-tree.tsx";
import { FunctionTable } from "./function-table.tsx";
import { cursorAfter } from "./row-grid.tsx";

// Rows are rendered where there is room for them, and this DOM has no layout.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
});
afterEach(cleanup);

const tree = buildCallTree(
  stacksOf(
    "a/main.run;b/json.Encode;b/json.write 50\na/main.run;c/log.Print 20\na/main.run;b/json.Encode 10\nruntime.gc 5",
  ),
  0,
);

function Table({ selected = "", search = "" }) {
  const [fn, setFn] = useState(functionNamed(tree, selected));
  return (
    <FunctionTable
      reading={singleReading}
      tree={tree}
      root={0}
      search={search === "" ? null : searchTree(tree, search)}
      heightPx={600}
      selectedFn={fn}
      onSelect={setFn}
      onPoint={() => undefined}
    />
  );
}
function Tree({ of = tree, root = 0, start = -1 }: { of?: CallTree; root?: number; start?: number }) {
  const [node, setNode] = useState(start);
  const [opened, setOpened] = useState("");
  return (
    <>
      <CallTreeGrid
        reading={singleReading}
        tree={of}
        root={root}
        search={searchTree(of, "log")}
        heightPx={600}
        selected={node}
        onSelect={setNode}
        onOpen={(at) => setOpened(of.functions.name[of.fn[at]!]!)}
        onPoint={() => undefined}
      />
      <output>{opened}</output>
    </>
  );
}
describe("the table of functions", () => {
  const rows = () => within(screen.getByRole("grid")).getAllByRole("row", { hidden: false }).slice(1);
  const names = () => rows().map((row) => row.querySelector("[title]")?.textContent);
  const selected = () => rows().find((row) => row.getAttribute("aria-selected") === "true")?.textContent;
  const press = (key: string) => fireEvent.keyDown(screen.getByRole("grid"), { key });

  it("lists short names with values and shares, and sorts by a heading", () => {
    render(<Table />);
    expect(names()).toEqual(["json.write", "log.Print", "json.Encode", "runtime.gc", "main.run"]);
    expect(rows()[0]?.textContent).toMatch(/json\.write50.*58\.8%50.*58\.8%/);
    fireEvent.click(screen.getByRole("button", { name: "Total" }));
    expect(names()[0]).toBe("main.run");
    expect(screen.getByRole("columnheader", { name: "Total" }).getAttribute("aria-sort")).toBe("descending");
  });

  it("is moved through and selected with keys, from one stop of Tab", () => {
    render(<Table />);
    const grid = screen.getByRole("grid");
    press("ArrowDown");
    const active = () =>
      document.getElementById(grid.getAttribute("aria-activedescendant") ?? "")?.textContent;
    expect(active()).toContain("json.write");
    press("ArrowDown");
    press("ArrowDown");
    expect(active()).toContain("json.Encode");
    expect(selected()).toBeUndefined();
    press("Enter");
    expect(selected()).toContain("json.Encode");
    press("End");
    expect(active()).toContain("main.run");
    press("Home");
    expect(active()).toContain("json.write");
    expect(selected()).toContain("json.Encode");
  });

  it("is limited by the search, and says how many functions are left", () => {
    render(<Table search="/^b.json/" />);
    expect(names()).toEqual(["json.write", "json.Encode"]);
    expect(screen.getByRole("status").textContent).toBe("2 of 5 functions match /^b.json/");
  });

  it("begins at the selected function", () => {
    render(<Table selected="c/log.Print" />);
    expect(selected()).toContain("log.Print");
  });
});

describe("the call tree", () => {
  const grid = () => screen.getByRole("treegrid");
  const rows = () =>
    within(grid())
      .getAllByRole("row")
      .slice(1)
      .map((row) => {
        const at = (name: string) => row.getAttribute(`aria-${name}`);
        return `${at("level")} ${at("posinset")}/${at("setsize")} ${at("expanded") ?? "leaf"} ${row.querySelector("bdi")?.textContent ?? row.querySelector("td")?.textContent}`;
      });
  const press = (...keys: string[]) => {
    for (const key of keys) fireEvent.keyDown(grid(), { key });
  };
  const cursor = () =>
    document.getElementById(grid().getAttribute("aria-activedescendant") ?? "")?.querySelector("bdi")
      ?.textContent;

  it("is open along the hot path, with level, place and state of each row", () => {
    render(<Tree />);
    expect(rows()).toEqual([
      "1 1/1 true All stacks",
      "2 1/2 true main.run",
      "3 1/2 true json.Encode",
      "4 1/1 leaf json.write",
      "3 2/2 leaf log.Print",
      "2 2/2 leaf runtime.gc",
    ]);
  });

  it("opens, closes and moves with the arrow keys", () => {
    render(<Tree />);
    press("ArrowDown");
    expect(cursor()).toBe("All stacks");
    press("ArrowRight", "ArrowRight");
    expect(cursor()).toBe("json.Encode");
    press("ArrowLeft");
    expect(rows()[2]).toBe("3 1/2 false json.Encode");
    press("ArrowLeft");
    expect(cursor()).toBe("main.run");
    press("ArrowDown", "ArrowDown");
    expect(cursor()).toBe("log.Print");
    press("ArrowUp", "ArrowRight");
    expect(rows()[2]).toBe("3 1/2 true json.Encode");
    press("Enter");
    expect(screen.getByRole("status").textContent).toBe("b/json.Encode");
    press("Home", "ArrowLeft");
    expect(rows()).toEqual(["1 1/1 false All stacks"]);
    press("*");
    expect(rows().length).toBeGreaterThan(1);
  });

  it("opens down to the frame that is selected in the graph", () => {
    const gcBelow = buildCallTree(stacksOf("a;b 90\nc;d;e;f 10"), 0);
    render(<Tree of={gcBelow} start={gcBelow.fn.indexOf(functionNamed(gcBelow, "f"))} />);
    expect(cursor()).toBe("f");
  });

  it("has a row for frames that were left out, which the keys skip", () => {
    const pruned = pruneTree(tree, { maxNodes: 4 });
    render(<Tree of={pruned} />);
    expect(rows().some((row) => /left out$/.test(row))).toBe(true);
    press("End");
    expect(cursor()).toBeDefined();
  });

  it("names matches of the search in words, not by colour alone", () => {
    render(<Tree />);
    expect(screen.getAllByText(", match").length).toBe(1);
  });
});

describe("the row that a key moves to", () => {
  it("stays within the rows", () => {
    const from = (cursor: number, key: string) => cursorAfter(key, cursor, 10, 4);
    expect([from(0, "ArrowUp"), from(9, "ArrowDown"), from(8, "PageDown"), from(2, "PageUp")]).toEqual([
      0, 9, 9, 0,
    ]);
    expect([from(-1, "ArrowDown"), from(3, "Home"), from(3, "End"), from(3, "x")]).toEqual([
      0,
      0,
      9,
      undefined,
    ]);
    expect(cursorAfter("ArrowDown", -1, 0, 4)).toBeUndefined();
  });
});
