import { describe, expect, it } from "vitest";
import { BoxList } from "#view/visible-boxes.ts";
import { stacksFrom } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { viewportOf } from "../view/viewport.ts";
import { listVisibleBoxes } from "../view/visible-boxes.ts";
import { toSvg } from "./svg.ts";

function svgOf(rows: Parameters<typeof stacksFrom>[0], zoomedFunction = "root"): string {
  const tree = buildCallTree(stacksFrom(rows, { type: "cpu", unit: "nanoseconds" }), 0);
  const boxes = new BoxList();
  const zoom = tree.fn.indexOf(tree.functions.name.indexOf(zoomedFunction));
  listVisibleBoxes(tree, { ...viewportOf(tree, zoom), firstRow: 0, lastRow: 100, widthPx: 1200 }, boxes);
  return toSvg({
    layers: [{ tree, boxes, colourOf: (box) => (boxes.row[box] === 0 ? "#d7191c" : "#b5dfa5") }],
    widthPx: 1200,
    title: "3f2a & co",
    background: "#ffffff",
    ink: "#000000",
  });
}

describe("toSvg", () => {
  it("draws a box with its name, value and share for every visible frame", () => {
    const svg = svgOf([{ frames: ["main.main", "net/http.serve"], value: 2e9 }]);
    expect(svg).toContain("<title>3f2a &amp; co</title>");
    expect(svg).toContain("<title>net/http.serve 2 s (100.0%)</title>");
    expect(svg.match(/<rect /gu)).toHaveLength(4);
    expect(svg).toContain('y="68"');
    expect(svg).toContain('fill="#ffffff" xml:space="preserve">root</text>');
  });

  it("writes the tooltips of a comparison, whose totals are scaled", () => {
    const tree = buildCallTree(stacksFrom([{ frames: ["main"], value: 5 }]), 0);
    const boxes = new BoxList();
    listVisibleBoxes(tree, { ...viewportOf(tree, 0), firstRow: 0, lastRow: 100, widthPx: 1200 }, boxes);
    const svg = toSvg({
      layers: [{ tree, boxes, colourOf: () => "#ffffff", tooltipOf: (node) => `${node}: 30% < 45%` }],
      widthPx: 1200,
      title: "compared",
      background: "#ffffff",
      ink: "#000000",
    });
    expect(svg).toContain("<title>0: 30% &lt; 45%</title>");
    expect(svg).toContain("<title>1: 30% &lt; 45%</title>");
    expect(svg).not.toContain("100.0%");
  });

  it("counts the frames that are too narrow to draw", () => {
    const narrow = Array.from({ length: 500 }, (_, each) => ({ frames: ["main", `f${each}`], value: 1 }));
    const svg = svgOf([...narrow, { frames: ["main"], value: 1500 }]);
    expect(svg).toContain("<title>500 small frames, 25.0%</title>");
    expect(svg).toContain('xml:space="preserve">500 small frames, 25.0%</text>');
  });

  it("escapes a share below 0.1%, which has a bracket", () => {
    const frames = (each: number) => ["main", "rare", `f${each}`];
    const narrow = Array.from({ length: 2000 }, (_, each) => ({ frames: frames(each), value: 1 }));
    const svg = svgOf([...narrow, { frames: ["main"], value: 1e7 }], "rare");
    expect(svg).toContain("<title>2K small frames, &lt;0.1%</title>");
  });

  it("escapes hostile names and omits characters that XML forbids", () => {
    const hostile = `</text><script>alert("1")</script>&'\u0000\u001b\ud800\uffff]]>`;
    const svg = svgOf([{ frames: [hostile], value: 5 }]);
    for (const text of ["<script", "\u0000", "\u001b", "\uffff", "]]>"]) expect(svg).not.toContain(text);
    expect(svg.isWellFormed()).toBe(true);
    expect(svg).toContain("&lt;script&gt;alert(&quot;1&quot;)");
  });
});
