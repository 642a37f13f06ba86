// @vitest-environment happy-dom
import { buildCallTree, type CallTree, defaultFlameView, type FlameView } from "@flamekeep/flame";
import { compared, stacksOf } from "@flamekeep/flame/testing";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { type ComponentProps, useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FlameCanvas } from "#flame-graph/canvas/flame-canvas.tsx";
import { scalingOf } from "#flame-graph/reading/change-text.ts";
import { comparedReading } from "#flame-graph/reading/compared.tsx";
import { singleReading } from "#flame-graph/reading/single.tsx";
import { GraphPanel, type GraphPanelProps } from "./graph-panel.tsx";
import { SidePanes } from "./side-panes.tsx";

// This DOM cannot draw.
vi.mock("#flame-graph/canvas/flame-canvas.tsx", () => ({
  FlameCanvas({ label, scene, elementRef, onKeyDown, onHover }: ComponentProps<typeof FlameCanvas>) {
    const { tree, colourOf, palette } = scene;
    const node = tree.fn.findIndex((fn) => scene.names[fn] === "log.Print");
    return (
      <div
        ref={elementRef}
        role="application"
        aria-label={label}
        data-colour={palette.fills[colourOf(node)]}
        onKeyDown={onKeyDown}
        onPointerMove={() => onHover({ kind: "frame", node })}
      />
    );
  },
}));

// Rows are rendered where there is room for them, and this DOM has no layout.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
});
afterEach(cleanup);

const before = "a/main.run;b/json.Encode 50\na/main.run;c/log.Print 25\nruntime.gc 25";
const after = "a/main.run;b/json.Encode 30\na/main.run;c/log.Print 50\na/main.run;d/new.Thing 20";
const tree: CallTree = buildCallTree(stacksOf(before), 0);
const comparison = compared(before, after);
const relative = scalingOf(comparison, { type: "cpu" }, "relative", { per: "profile", before: 1, after: 1 });

interface PanelProps extends Pick<GraphPanelProps, "graph" | "reading" | "sides"> {
  readonly start?: Partial<FlameView>;
}

function Panel({ graph, reading, sides, start }: PanelProps) {
  const [view, setView] = useState<FlameView>({ ...defaultFlameView, ...start });
  return (
    <QueryClientProvider client={new QueryClient()}>
      <GraphPanel
        {...{ graph, reading, sides, view }}
        name="checkout"
        onViewChange={setView}
        readStored={async () => graph}
        onRefresh={() => undefined}
        actions={null}
      />
      <output data-testid="view">{JSON.stringify(view)}</output>
    </QueryClientProvider>
  );
}

const reading = comparedReading(relative, { by: "self", profileType: "cpu" });
const byTotal = comparedReading(relative, { by: "total", profileType: "cpu" });

const readings = {
  single: { graph: tree, reading: singleReading },
  compared: { graph: comparison, reading },
  "compared by total": { graph: comparison, reading: byTotal },
  sides: { graph: comparison, reading, sides: SidePanes },
} as const;

const show = (name: keyof typeof readings, start: Partial<FlameView> = {}) =>
  render(<Panel {...readings[name]} start={start} />);
const drawings = () =>
  screen.getAllByRole("application").map((each) => each.getAttribute("aria-label")?.replace(/ of .*/, ""));
const details = () => screen.getByRole("group", { name: "Frame" }).textContent;
const textOf = (row: HTMLElement | undefined) =>
  [...(row?.querySelectorAll("th, td") ?? [])].map((cell) => cell.textContent?.replaceAll("\u00a0", " "));

describe("the panel", () => {
  it.each([
    ["single", "Flame graph", ["Flame graph"]],
    ["compared", "Comparison", ["Comparison"]],
    ["sides", "Comparison", ["Before", "After"]],
  ] as const)("of %s has the toolbar %s and draws %j", (name, label, graphs) => {
    show(name);
    const toolbar = within(screen.getByRole("toolbar", { name: label }));
    expect(toolbar.queryByRole("button", { name: "Legend" }) === null).toBe(name !== "single");
    expect(drawings()).toEqual(graphs);
  });

  it.each([
    [
      "single",
      "rootThe whole graphHottest outside the runtime:json.Encode50.0% selfTotalTotal100",
      "c/log.Printc",
    ],
    ["compared", "rootSelf: 0% before, 0% after, same", "c/log.PrintSelf: 25% before, 50% after, +100.0%"],
  ] as const)("of %s has details of the root, and of the frame under the pointer", (name, root, hovered) => {
    show(name);
    expect(details()).toContain(root);
    fireEvent.pointerMove(screen.getByRole("application"));
    expect(details()).toContain(hovered);
  });

  it("has the colours of the scheme, or those of the change", () => {
    show("single");
    const scheme = screen.getByRole("application").dataset.colour;
    cleanup();
    show("compared");
    expect(screen.getByRole("application").dataset.colour).not.toBe(scheme);
    expect(screen.getByRole("list", { name: "Colors from less to more" })).toBeDefined();
  });

  it.each([
    ["compared", "the change of a frame's self value", "half of the largest change", "+12.5 points"],
    [
      "compared by total",
      "the change of a frame's total, as a share of its side's total",
      "gray is equal",
      "new",
    ],
  ] as const)("of %s says what its colours are", (name, sentence, detail, label) => {
    show(name);
    const legend = screen.getByRole("list", { name: "Colors from less to more" });
    expect(legend.parentElement?.textContent).toContain(sentence);
    expect(legend.parentElement?.textContent).toContain(detail);
    expect(legend.lastElementChild?.textContent).toBe(label);
  });

  it.each([
    [
      "single",
      { pane: "table" },
      ["Function", "Self", "Total"],
      ["json.Encode", "50 samples50.0%", "50 samples50.0%"],
    ],
    [
      "compared",
      {},
      ["Function", "Self before", "Self after", "Self change", "Total before", "Total after", "Total change"],
      ["log.Print", "25%", "50%", "+25 points+100.0%", "25%", "50%", "+25 points+100.0%"],
    ],
  ] as const)(
    "of %s has a table of its columns, sorted by the first change or value",
    async (name, view, heads, first) => {
      show(name, view);
      const [head, row] = within(await screen.findByRole("grid")).getAllByRole("row");
      expect([textOf(head), textOf(row)]).toEqual([heads, first]);
    },
  );

  it("sorts the table of a comparison by the total, if most of the change of a link's function is in what it calls", async () => {
    show("compared", { selectedFunction: "a/main.run" });
    const [, row] = within(await screen.findByRole("grid")).getAllByRole("row");
    expect(textOf(row)).toEqual(["main.run", "0%", "0%", "0 pointssame", "75%", "100%", "+25 points+33.3%"]);
  });

  it("says which functions are new, and which are gone", async () => {
    show("compared");
    const rows = within(await screen.findByRole("grid")).getAllByRole("row");
    expect(rows.flatMap((row) => /(\S+?)(New|Gone)/.exec(row.textContent ?? "")?.slice(1) ?? [])).toEqual([
      "new.Thing",
      "New",
      "runtime.gc",
      "Gone",
    ]);
  });

  it.each([
    ["single", ["Function", "Self", "Total"], ["main.run", "0 samples0.0%", "75 samples75.0%"]],
    ["compared", ["Function", "Before", "After", "Change"], ["main.run", "75%", "100%", "+25 points+33.3%"]],
  ] as const)("of %s has a call tree of its columns", async (name, heads, second) => {
    show(name, { pane: "tree" });
    const [head, , row] = within(await screen.findByRole("treegrid")).getAllByRole("row");
    expect([textOf(head), textOf(row)]).toEqual([heads, second]);
  });

  it.each([
    ["single", "Shows 50.0% of the total, 1 frame."],
    ["compared", "50.0% of the total before and 30.0% after, in 1 frame."],
  ] as const)("of %s has two halves in a sandwich, and says what it shows", async (name, summary) => {
    show(name, { transforms: "sandwich:b/json.Encode" });
    expect((await screen.findAllByText(summary)).length).toBeGreaterThan(0);
    expect(drawings()).toEqual(["Callers", "Callees"]);
  });

  it.each(["single", "compared", "sides"] as const)(
    "of %s selects and zooms by keys, and writes the zoom of the graph",
    (name) => {
      show(name);
      const graph = screen.getAllByRole("application")[0]!;
      for (const key of ["ArrowDown", "ArrowDown", "Enter"]) fireEvent.keyDown(graph, { key });
      const view = JSON.parse(screen.getByTestId("view").textContent ?? "");
      expect(view).toMatchObject({ zoom: "0", selectedFunction: "a/main.run" });
    },
  );
});
