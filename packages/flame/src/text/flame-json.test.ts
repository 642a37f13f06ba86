import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heatColour } from "#colour/scheme.ts";
import { arbitraryStacks, stacksFrom, stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { type CallTree, wholeOf } from "../tree/call-tree.ts";
import { fromUtf8 } from "../wire/utf8.ts";
import { type FlameJsonLimits, flameJson } from "./flame-json.ts";

const meta = { profileId: "p1", totalSamples: 4, durationMs: 10_000, profileHash: "h1" };

/** With the total of the tree, as that of its profile. */
const textOf = (tree: CallTree, facts: typeof meta, limits?: FlameJsonLimits) =>
  fromUtf8(flameJson(tree, { ...facts, totalSamples: tree.total[0] }, limits));

interface Node {
  readonly node_id: string;
  readonly function_name: string;
  readonly children: readonly Node[];
}

describe("the search index", () => {
  it("has every node by the name of its function, from whose ids the tree can be rebuilt", () => {
    let nodes = 0;
    fc.assert(
      fc.property(arbitraryStacks, fc.integer({ min: 1, max: 30 }), (stacks, maxNodes) => {
        const tree = buildCallTree(stacks, 0);
        const { root, search_index: index } = JSON.parse(
          textOf(tree, meta, { maxNodes, hasSearchIndex: true }),
        ) as { root: Node; search_index: Record<string, Node[]> };
        const listed = Object.entries(index).flatMap(([name, places]) => {
          for (const place of places) expect(place.function_name).toBe(name);
          return places;
        });
        const rebuild = (id: string): Node => {
          const children = listed
            .filter((node) => node.node_id.slice(0, node.node_id.lastIndexOf("_")) === id)
            .sort((a, b) => Number(a.node_id.split("_").at(-1)) - Number(b.node_id.split("_").at(-1)))
            .map((node) => rebuild(node.node_id));
          return { ...listed.find((node) => node.node_id === id)!, children };
        };
        expect(rebuild("root")).toEqual(root);
        nodes += listed.length;
      }),
    );
    expect(nodes).toBeGreaterThan(100);
  });

  it("is left out unless it is wanted", () => {
    expect(textOf(buildCallTree(stacksOf("a;b 1"), 0), meta)).not.toContain("search_index");
  });
});

describe("flameJson", () => {
  it("nests the nodes with their shares, boxes and path ids", () => {
    const tree = buildCallTree(stacksOf("net/http.serve@s.go:3;main.a@a.go:9 3\nnet/http.serve@s.go:3 1"), 0);
    expect(JSON.parse(textOf(tree, meta))).toEqual({
      profile_id: "p1",
      total_samples: 4,
      duration_ms: 10_000,
      profile_hash: "h1",
      sample_type: { type: "samples", unit: "count" },
      elided_nodes: 0,
      root: {
        function_name: "root",
        package_name: "",
        file_name: "",
        start_line: 0,
        line_number: 0,
        self_value: 0,
        total_value: 4,
        self_percent: 0,
        total_percent: 100,
        sample_count: 4,
        x: 0,
        width: 100,
        depth: 0,
        node_id: "root",
        color: "#d7191c",
        children: [
          {
            function_name: "net/http.serve",
            package_name: "net/http",
            file_name: "s.go",
            start_line: 0,
            line_number: 3,
            self_value: 1,
            total_value: 4,
            self_percent: 25,
            total_percent: 100,
            sample_count: 4,
            x: 0,
            width: 100,
            depth: 1,
            node_id: "root_0",
            color: "#d7191c",
            children: [
              {
                function_name: "main.a",
                package_name: "main",
                file_name: "a.go",
                start_line: 0,
                line_number: 9,
                self_value: 3,
                total_value: 3,
                self_percent: 75,
                total_percent: 75,
                sample_count: 3,
                x: 0,
                width: 75,
                depth: 2,
                node_id: "root_0_0",
                color: "#e8512f",
                children: [],
              },
            ],
          },
        ],
      },
    });
  });

  it("counts omitted nodes", () => {
    const tree = buildCallTree(stacksOf("a 5\nb 3\nc;d 2"), 0);
    const json = JSON.parse(textOf(tree, meta, { maxNodes: 2 }));
    expect(json.elided_nodes).toBe(3);
    expect(json.root.elided_count).toBe(3);
    expect(json.root.elided_value).toBe(5);
    expect(json.root.children.map((child: { function_name: string }) => child.function_name)).toEqual(["a"]);
  });

  it("counts nodes that would make it too long, and keeps the widest", () => {
    const name = `main.${"x".repeat(4000)}`;
    const rows = Array.from({ length: 1000 }, (_, i) => ({ frames: [`f${i}`, name], value: 1000 - i }));
    const tree = buildCallTree(stacksFrom(rows), 0);
    const whole = flameJson(tree, meta).length;
    expect(flameJson(tree, meta, { maxBytes: 1.1 * whole }).length).toBe(whole);
    const maxBytes = 1_000_000;
    const bytes = flameJson(tree, { ...meta, totalSamples: tree.total[0] }, { maxBytes });
    expect(bytes.length).toBeLessThan(maxBytes);
    expect(bytes.length).toBeGreaterThan(maxBytes / 4);
    const json = JSON.parse(fromUtf8(bytes));
    const kept = json.root.children.length;
    expect(json.root.children.at(0).function_name).toBe("f0");
    expect(json.root.total_value).toBe(tree.total[0]);
    expect(json.root.elided_count).toBeGreaterThanOrEqual(2 * (1000 - kept));
    expect(fromUtf8(bytes).match(/"node_id"/gu)).toHaveLength(tree.length - json.elided_nodes);
  });

  it("cuts a stack of 60,000 frames at 512 levels by default", () => {
    const frames = Array.from({ length: 60_000 }, (_, depth) => `f${depth % 7}`);
    const json = JSON.parse(textOf(buildCallTree(stacksFrom([{ frames, value: 4 }]), 0), meta));
    expect(json.elided_nodes).toBe(60_001 - 512);
  });

  it("gives the value of cut levels to no function that was not the leaf", () => {
    const frames = Array.from({ length: 600 }, (_, depth) => `f${depth}`);
    const rows = [
      { frames, value: 4 },
      { frames: frames.slice(0, 511), value: 3 },
    ];
    const { root } = JSON.parse(textOf(buildCallTree(stacksFrom(rows), 0), meta));
    let node = root;
    while (node.children.length > 0) node = node.children[0];
    expect(node).toMatchObject({
      depth: 511,
      self_value: 3,
      total_value: 7,
      elided_count: 89,
      elided_value: 4,
    });
    expect(root.total_value).toBe(7);
  });

  it("writes thousands of levels where asked to", () => {
    const frames = Array.from({ length: 6_000 }, () => "f");
    const text = textOf(buildCallTree(stacksFrom([{ frames, value: 4 }]), 0), meta, {
      maxDepth: 10_000,
    });
    expect(text.match(/"node_id"/gu)).toHaveLength(6_001);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it("gives shares of the sum of absolute values if values are negative", () => {
    const tree = buildCallTree(stacksOf("main;a 100\nmain;b -102\nmain;c 1"), 0);
    const { root } = JSON.parse(textOf(tree, meta, { maxNodes: 4 }));
    expect(root.total_value).toBe(-1);
    expect(root.total_percent).toBe(-0.492611);
    const [main] = root.children;
    const shares = main.children.map((each: { total_percent: number }) => each.total_percent);
    expect(shares).toEqual([49.261084, 0.492611]);
    expect(main.elided_value).toBe(-102);
  });

  it("never gives a share above 100%", () => {
    let looked = 0;
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        for (const [share] of textOf(buildCallTree(stacks, 0), meta).matchAll(/(?<=_percent":)[^,]+/gu)) {
          expect(Math.abs(Number(share))).toBeLessThanOrEqual(100);
          looked++;
        }
      }),
    );
    expect(looked).toBeGreaterThan(100);
  });

  it("agrees with the tree on thousands of nodes with names of every kind", () => {
    const names = ["main", 'a"b\\c', "línea", "\u{1f525}", "\ud800", "tab\there", "x".repeat(3000)];
    const values = [1, 10, 999_999_999, 1_000_000_000, 2 ** 53 + 2, 1e21, 123_456_789_012_345];
    const stacks = Array.from({ length: 3000 }, (_, i) => ({
      frames: [names[i % 7], names[(i >> 2) % 7], `leaf${i % 1000}`, names[(i >> 4) % 7]],
      value: values[i % values.length] * (i % 50 === 7 ? -1 : 1),
    }));
    const tree = buildCallTree(stacksFrom(stacks), 0);
    expect(JSON.parse(textOf(tree, meta)).root).toEqual(
      JSON.parse(JSON.stringify(nodeOf(tree, 0, 0, "root"))),
    );
  });
});

function nodeOf(tree: CallTree, node: number, depth: number, id: string): object {
  const fn = tree.fn[node];
  const share = (part: number, whole: number) => Math.round((part / whole) * 1e8) / 1e6;
  const first = tree.firstChild[node];
  const children = Array.from({ length: tree.firstChild[node + 1] - first }, (_, i) =>
    nodeOf(tree, first + i, depth + 1, `${id}_${i}`),
  );
  return {
    function_name: tree.functions.name[fn],
    package_name: tree.functions.packageName[fn],
    file_name: tree.functions.file[fn],
    start_line: tree.functions.startLine[fn],
    line_number: tree.line[node] || tree.functions.startLine[fn],
    self_value: tree.self[node],
    total_value: tree.total[node],
    self_percent: share(tree.self[node], wholeOf(tree)),
    total_percent: share(tree.total[node], wholeOf(tree)),
    sample_count: tree.samples[node],
    x: share(tree.x[node], tree.width[0]),
    width: share(tree.width[node], tree.width[0]),
    depth,
    node_id: id,
    color: heatColour(share(tree.total[node], wholeOf(tree)), "light"),
    children,
  };
}
