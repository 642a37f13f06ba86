import {
  BoxList,
  buildCallTree,
  type CallTree,
  functionNames,
  levelOf,
  listVisibleBoxes,
  matchColour,
  nodeColours,
  pruneTree,
  searchTree,
  viewportOf,
} from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { describe, expect, it } from "vitest";
import { paintOf, paletteFor, rowCount, type Scene } from "./scene.ts";

const colours = {
  theme: "light",
  surface: "#ffffff",
  line: "#cccccc",
  text: "#222222",
} as const;

function sceneOf(tree: CallTree, zoom: number, search = ""): Scene {
  return {
    tree,
    focus: 0,
    zoom,
    zoomLevel: levelOf(tree, zoom),
    focusLevel: 0,
    direction: "down",
    search: search === "" ? null : searchTree(tree, search),
    selected: -1,
    outlined: -1,
    colours,
    palette: paletteFor("heat", colours),
    colourOf: nodeColours(tree, "heat"),
    names: functionNames(tree.functions),
  };
}

/** Name and fill of every box on screen. */
function painted(scene: Scene, widthPx = 1000): string[] {
  const boxes = new BoxList();
  listVisibleBoxes(
    scene.tree,
    { ...viewportOf(scene.tree, scene.zoom), firstRow: 0, lastRow: 50, widthPx },
    boxes,
  );
  return Array.from({ length: boxes.length }, (_, box) => {
    const node = boxes.node[box]!;
    const name = boxes.isRun[box] ? "small" : scene.tree.functions.name[scene.tree.fn[node]!];
    return `${name} ${kindOf(scene, paintOf(scene, boxes, box))}`;
  });
}

function kindOf({ palette }: Scene, paint: number): string {
  if (paint === palette.match) return "match";
  if (paint === palette.hiddenMatch) return "hidden match";
  if (paint === palette.elided) return "left out";
  return paint < palette.count ? "plain" : "faded";
}

const tree = buildCallTree(stacksOf("main;serve;json 500\nmain;serve;log 499\nmain;tiny.json 1\ngc 200"), 0);

describe("paintOf", () => {
  it("fades the callers of the zoomed frame", () => {
    const serve = tree.firstChild[1]!;
    expect(painted(sceneOf(tree, serve))).toEqual([
      "root faded",
      "main faded",
      "serve plain",
      "json plain",
      "log plain",
    ]);
  });

  it("marks matches, also those in boxes too small to draw, and fades the rest", () => {
    expect(painted(sceneOf(tree, 0, "json"), 600)).toEqual([
      "root faded",
      "main faded",
      "gc faded",
      "serve faded",
      "small hidden match",
      "json match",
      "log faded",
    ]);
    expect(paletteFor("heat", colours).fills[paletteFor("heat", colours).match]).toBe(matchColour);
  });

  it("distinguishes omitted frames from frames", () => {
    expect(painted(sceneOf(pruneTree(tree, { maxNodes: 3 }), 0))).toEqual([
      "root plain",
      "main plain",
      "small left out",
      "serve plain",
      "small left out",
      "small left out",
    ]);
  });
});

describe("rowCount", () => {
  it("counts the rows down to the deepest frame below the zoomed one", () => {
    const [main, gc] = [1, 2];
    expect([rowCount(tree, 0, 0), rowCount(tree, main, 1), rowCount(tree, gc, 1)]).toEqual([4, 4, 2]);
    expect(rowCount(tree, main, 0)).toBe(3);
  });
});
