import { buildCallTree, encodeFlameGraph, pruneTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { describe, expect, it } from "vitest";
import { callTree, topFunctions } from "./tasks.ts";

const meta = { profileId: "p", totalSamples: 0, durationMs: 0, profileHash: "h" };

/** The columns of a graph, with all frames and with only the widest two. */
function replies(folded: string, unit: string) {
  const tree = buildCallTree(stacksOf(folded, { type: unit, unit }), 0);
  const cut = pruneTree(tree, { maxNodes: 3, hasAllFrames: true });
  expect(cut.length).toBe(3);
  return [tree, cut].map((each) => encodeFlameGraph(each, meta)) as [Uint8Array, Uint8Array];
}

const linesOf = (text: string) => text.split("\n").map((line) => line.trim());

describe("a focus on a graph with more frames than can be read", () => {
  const [, cut] = replies(
    "main.run;main.a;json.Encode 40\nmain.run;main.b;json.Encode 30\nmain.run;main.c;log.Print 30",
    "bytes",
  );
  const focusOn = (focus: string | undefined) => callTree({ columns: cut, focus, limit: 9, minPercent: 0 });

  it("says that its values are at least these; the total of one function is exact", () => {
    const answer = linesOf(focusOn("main.a"));
    expect(answer).toEqual(["profile p; bytes", expect.stringMatching(/lower bound/), "40.0% 40 B  main.a"]);
    const [, , elided] = linesOf(focusOn("json.Encode"));
    expect(elided).toBe("70.0% 70 B  json.Encode");
    expect(focusOn("main.d")).toMatch(/^No function/);
  });

  it("does not where nothing is focused, because the frames shown are the widest", () => {
    expect(linesOf(focusOn(undefined)).slice(1)).toEqual([
      "100.0% 100 B  root",
      "100.0% 100 B  main.run",
      "40.0% 40 B  main.a",
    ]);
  });
});

it("self values of waits belong to the function that waits, also of frames that a reply leaves out", () => {
  const columns = replies(
    "main.run;shop.ask;runtime.chansend1;runtime.gopark 9\nmain.run;shop.lock;sync.(*Mutex).Lock 4\nruntime.bg 1",
    "count",
  );
  const [whole, cut] = columns.map((each) =>
    topFunctions({ columns: each, lines: each, profileType: "goroutine", order: "self", limit: 3 }),
  );
  expect(linesOf(whole!).map((line) => line.split("  ")[1])).toEqual([
    undefined,
    "shop.ask",
    "shop.lock",
    "runtime.bg",
  ]);
  expect(cut).toBe(whole);
});
