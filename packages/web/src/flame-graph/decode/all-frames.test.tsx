// @vitest-environment happy-dom
import {
  buildCallTree,
  type CallTree,
  changeView,
  defaultFlameView,
  type FlameView,
  pruneTree,
  searchTree,
} from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useRef, useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { GraphSteps } from "#flame-graph/panel/graph-steps.tsx";
import { Legend } from "#flame-graph/panel/legend.tsx";
import { ExportMenu } from "#flame-graph/panel/toolbar.tsx";
import { useWorkspace } from "#flame-graph/panel/use-workspace.ts";
import { GraphSearch } from "#flame-graph/search/search-box.tsx";
import { AllFramesContext } from "./all-frames.ts";

afterEach(cleanup);

const whole = buildCallTree(stacksOf("main.run;a/json.Encode 50\nmain.run;c/log.Print 20\nruntime.gc 5"), 0);
const generic = buildCallTree(
  stacksOf("main.run;main.Less[go.shape.int] 20\nmain.go;main.Less[go.shape.string] 40"),
  0,
);
const preview = pruneTree(whole, { maxNodes: 3 });

function Parts({ hasAllFrames }: { readonly hasAllFrames: boolean }) {
  const [view, setView] = useState<FlameView>(defaultFlameView);
  const input = useRef<HTMLInputElement>(null);
  const tree = hasAllFrames ? whole : preview;
  const result = view.search === "" ? null : searchTree(tree, view.search);
  return (
    <AllFramesContext value={hasAllFrames}>
      <GraphSearch
        tree={tree}
        view={view}
        change={(action) => setView((now) => changeView(now, action))}
        result={result}
        shareOf={({ values }) => `${values} of 75`}
        inputRef={input}
        onStep={() => undefined}
      />
      <Legend scheme="package" tree={tree} search="" onSearch={() => undefined} />
      <ExportMenu onExport={() => undefined} />
    </AllFramesContext>
  );
}

interface StepsProps {
  readonly hasAllFrames: boolean;
  readonly selectedFunction: string;
  readonly of?: CallTree;
}

function Steps({ hasAllFrames, selectedFunction, of = whole }: StepsProps) {
  const view = { ...defaultFlameView, selectedFunction };
  const tree = hasAllFrames ? of : preview;
  const state = useWorkspace({ tree, name: "p", view, onViewChange: () => undefined });
  return (
    <AllFramesContext value={hasAllFrames}>
      <GraphSteps view={view} state={state} summary="" notice="" sumsOf={() => "50"} />
    </AllFramesContext>
  );
}

const legend = () => screen.getByRole("region", { name: "Legend" }).textContent;
const exports = () => screen.getByRole<HTMLButtonElement>("button", { name: "Export" });

describe("while the frames of a graph are loading", () => {
  it.each(["", "a/json.Encode"])(
    "the row of the steps says so once, with the selected function %j",
    (name) => {
      const { rerender } = render(<Steps hasAllFrames={false} selectedFunction={name} />);
      expect(screen.getAllByText("loading all frames…")).toHaveLength(1);
      rerender(<Steps hasAllFrames selectedFunction={name} />);
      expect(screen.queryByText("loading all frames…")).toBeNull();
    },
  );

  it("the row of the steps says that a selected function is the sum of its copies", () => {
    render(<Steps of={generic} hasAllFrames selectedFunction="main.Less[go.shape.int]" />);
    expect(screen.getByText(/^2 places: 50\. Sum of all 2 copies of main\.Less; Transform, /)).toBeDefined();
  });

  it("no search, legend or export sums the ones that are there; once all are, each has its figure", async () => {
    const { rerender } = render(<Parts hasAllFrames={false} />);
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "o" } });
    expect((await screen.findByText("searching")).isConnected).toBe(true);
    expect(screen.queryAllByRole("option")).toEqual([]);
    expect(legend()).toMatch(/main …/);
    expect(legend()).not.toMatch(/\d%/);
    expect(exports().disabled).toBe(true);
    rerender(<Parts hasAllFrames />);
    expect((await screen.findByText("70 of 75")).isConnected).toBe(true);
    expect(screen.getAllByRole("option")).toHaveLength(2);
    expect(legend()).toMatch(/main 93\.3%/);
    expect(exports().disabled).toBe(false);
  });
});
