import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemes } from "../colour/scheme-names.ts";
import { arbitraryStacks, stacksFrom, stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { functionTotals } from "../tree/function-totals.ts";
import {
  changeView,
  defaultFlameView,
  type FlameView,
  fromLinkParams,
  isStep,
  panes,
  toLinkParams,
  widestPlace,
} from "./flame-view.ts";
import { nodeAtRef, nodeIdOf, nodeRefOf } from "./node-ref.ts";
import { functionNamed, placesOf, zoomedNode } from "./selected-function.ts";
import { stepFrom } from "./selection.ts";

const zoomRef = fc.stringMatching(/^[0-9a-z.~]{0,8}$/u);

describe("the view", () => {
  it("round-trips through a link", () => {
    fc.assert(
      fc.property(
        fc.record<FlameView>({
          zoom: fc.oneof(zoomRef, fc.constant(widestPlace)),
          focus: zoomRef,
          callersZoom: fc.constantFrom("", "0.1"),
          transforms: fc.string(),
          search: fc.string(),
          selectedFunction: fc.string(),
          scheme: fc.constantFrom(...schemes),
          pane: fc.constantFrom(...panes),
          legend: fc.boolean(),
        }),
        (view) => {
          expect(fromLinkParams({ ...toLinkParams(view) })).toEqual(view);
        },
      ),
    );
    expect(toLinkParams(defaultFlameView)).toEqual({});
  });

  it("has defaults for garbled parameters", () => {
    expect(fromLinkParams({ zoom: "<script>", scheme: "rainbow", pane: 7, legend: "yes" })).toEqual(
      defaultFlameView,
    );
  });

  it("is as it was after zoom and reset", () => {
    fc.assert(
      fc.property(zoomRef, (to) => {
        const zoomed = changeView(defaultFlameView, { do: "zoom", to });
        expect(zoomed.zoom).toBe(to);
        expect(changeView(zoomed, { do: "reset zoom" })).toEqual(defaultFlameView);
      }),
    );
  });

  it("keeps the focus while zooming below it and drops it above", () => {
    const focused = changeView(defaultFlameView, { do: "focus", on: "0.0.2" });
    expect(focused).toMatchObject({ zoom: "0.0.2", focus: "0.0.2" });
    expect(changeView(focused, { do: "zoom", to: "0.0.2.~4" }).focus).toBe("0.0.2");
    expect(changeView(focused, { do: "zoom", to: "0.0.3" }).focus).toBe("");
    expect(
      changeView(changeView(defaultFlameView, { do: "focus", on: "~3" }), { do: "zoom", to: "~4.1" }).focus,
    ).toBe("~3");
    expect(changeView(focused, { do: "reset zoom" })).toEqual(defaultFlameView);
  });

  it("resets the zoom in another tree, and keeps the transforms on reset", () => {
    const zoomed = changeView(defaultFlameView, { do: "zoom", to: "0.1" });
    const inverted = changeView(zoomed, { do: "transform", to: "invert" });
    expect(inverted).toMatchObject({ transforms: "invert", zoom: "", focus: "" });
    expect(changeView(changeView(inverted, { do: "zoom", to: "3" }), { do: "reset" })).toEqual(inverted);
  });

  it("finds a function from outside: in the whole graph, at its widest place, in a link without a tree", () => {
    const deep = { ...defaultFlameView, zoom: "0.1", focus: "0", transforms: "invert", search: "json" };
    const found = changeView(deep, { do: "find function", name: "encoding/json.Marshal" });
    expect(toLinkParams(found)).toEqual({ zoom: widestPlace, fn: "encoding/json.Marshal" });
    expect(isStep(deep, found)).toBe(true);
    const other = changeView(found, { do: "select function", name: "main" });
    expect(toLinkParams(other)).toEqual({ fn: "main" });
    expect(changeView(found, { do: "reset" })).toEqual(defaultFlameView);
  });

  it("selects a function with its zoom in one step, and keeps it while zooming elsewhere", () => {
    const zoomed = changeView(defaultFlameView, { do: "zoom", to: "0.1", select: "main" });
    expect(zoomed).toMatchObject({ zoom: "0.1", selectedFunction: "main" });
    expect(changeView(zoomed, { do: "zoom", to: "" }).selectedFunction).toBe("main");
    expect(changeView(zoomed, { do: "reset zoom" }).selectedFunction).toBe("main");
  });

  it("changes by a step with zoom, focus, transforms and the selected function only", () => {
    const after = (action: Parameters<typeof changeView>[1]) =>
      isStep(defaultFlameView, changeView(defaultFlameView, action));
    expect(after({ do: "zoom", to: "1" })).toBe(true);
    expect(after({ do: "focus", on: "1" })).toBe(true);
    expect(after({ do: "transform", to: "collapse" })).toBe(true);
    expect(after({ do: "select function", name: "main" })).toBe(true);
    expect(after({ do: "search", text: "json" })).toBe(false);
    expect(after({ do: "scheme", to: "cool" })).toBe(false);
  });

  it("is the same object where nothing changes", () => {
    expect(changeView(defaultFlameView, { do: "reset" })).toBe(defaultFlameView);
    expect(changeView(defaultFlameView, { do: "scheme", to: "package" })).toBe(defaultFlameView);
  });

  it("resets zoom and search at once but not scheme, pane and legend", () => {
    const actions = [
      { do: "zoom", to: "1" },
      { do: "search", text: "json" },
      { do: "select function", name: "main" },
      { do: "scheme", to: "cool" },
      { do: "pane", to: "both" },
      { do: "legend" },
      { do: "reset" },
    ] as const;
    expect(actions.reduce(changeView, defaultFlameView)).toEqual({
      zoom: "",
      focus: "",
      callersZoom: "",
      transforms: "",
      search: "",
      selectedFunction: "",
      scheme: "cool",
      pane: "both",
      legend: true,
    });
  });
});

describe("node references", () => {
  it("lead back to every node", () => {
    let nodes = 0;
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const tree = buildCallTree(stacks, 0);
        for (let node = 0; node < tree.length; node++) {
          expect(nodeAtRef(tree, nodeRefOf(tree, node))).toBe(node);
          nodes++;
        }
      }),
    );
    expect(nodes).toBeGreaterThan(100);
  });

  it("are short for deep chains, and node ids spell out the path", () => {
    const deep = buildCallTree(stacksFrom([{ frames: Array.from({ length: 50 }, () => "f"), value: 1 }]), 0);
    expect(nodeRefOf(deep, 50)).toBe("~1e");
    expect(nodeIdOf(deep, 3)).toBe("root_0_0_0");
  });

  it("end at the deepest node that exists", () => {
    const tree = buildCallTree(stacksOf("a;b 1\nc 1"), 0);
    expect(nodeAtRef(tree, "0.0.5.1")).toBe(nodeAtRef(tree, "0.0"));
    expect(nodeAtRef(tree, "zz")).toBe(0);
    expect(nodeAtRef(tree, "..~")).toBe(0);
  });
});

describe("the selected function", () => {
  const tree = buildCallTree(stacksOf("a;f;f;b 5\nb;f 3\nf 7"), 0);
  const f = functionNamed(tree, "f");

  it("is summed over all its places, recursion once", () => {
    expect(placesOf(tree, f)).toEqual({ count: 4, self: 10, total: 15 });
    expect(placesOf(tree, -1)).toEqual({ count: 0, self: 0, total: 0 });
  });

  it("has the sums of the table of functions in any tree", () => {
    let recursive = 0;
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const any = buildCallTree(stacks, 0);
        const totals = functionTotals(any);
        for (let fn = 1; fn < any.functions.length; fn++) {
          const { count, self, total } = placesOf(any, fn);
          expect([count, self, total]).toEqual([totals.frames[fn], totals.self[fn], totals.total[fn]]);
          const isBelowItself = (node: number): boolean => {
            const above = any.parent[node];
            return above > 0 && (any.fn[above] === fn || isBelowItself(above));
          };
          recursive += any.fn.filter((of, node) => of === fn && isBelowItself(node)).length;
        }
      }),
    );
    expect(recursive).toBeGreaterThan(0);
  });

  it("can be zoomed to at its widest place, which is the root if it has none", () => {
    const zoomed = (selectedFunction: string) => zoomedNode(tree, { zoom: widestPlace, selectedFunction });
    expect([tree.fn[zoomed("f")], tree.total[zoomed("f")]]).toEqual([f, 7]);
    expect([zoomed("gone"), zoomed(""), zoomed("root")]).toEqual([0, 0, 0]);
    expect(zoomedNode(tree, { zoom: "0", selectedFunction: "f" })).toBe(nodeAtRef(tree, "0"));
  });
});

describe("stepFrom", () => {
  it("moves between parent, widest child and siblings and stays at the ends", () => {
    const tree = buildCallTree(stacksOf("a;x 5\nb 3\nc 1"), 0);
    const walk = (...steps: Parameters<typeof stepFrom>[2][]) =>
      tree.functions.name[tree.fn[steps.reduce((node, step) => stepFrom(tree, node, step), 0)]];
    expect(walk("child")).toBe("a");
    expect(walk("child", "next", "next", "next")).toBe("c");
    expect(walk("child", "next", "previous", "child")).toBe("x");
    expect(walk("child", "parent", "parent")).toBe("root");
  });

  it("skips siblings that are narrow on screen, which depends on the zoom", () => {
    const tree = buildCallTree(stacksOf("rest 99500\nzoomed;a 300\nzoomed;b 90"), 0);
    const node = (name: string) => tree.fn.indexOf(tree.functions.name.indexOf(name));
    expect(stepFrom(tree, node("a"), "next")).toBe(node("a"));
    expect(stepFrom(tree, node("a"), "next", node("zoomed"))).toBe(node("b"));
  });
});
