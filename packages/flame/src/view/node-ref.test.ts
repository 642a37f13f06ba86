import { describe, expect, it } from "vitest";
import { stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { nodeNamed } from "./node-ref.ts";

const whole = buildCallTree(
  stacksOf(`
    main;a;x 40
    main;a;y;z 9
    main;b;z 8
    main;c 7`),
  0,
);

describe("nodeNamed", () => {
  it("reads ids of JSON and references, and finds no other node instead of one that is missing", () => {
    expect(
      ["root", "root_0_1", "0.1", "", "root_0_9", "0.0.0.0.0", "root_x"].map((id) => nodeNamed(whole, id)),
    ).toEqual([0, 3, 3, 0, -1, -1, -1]);
  });

  // Counting each step of these runs would take longer than a test may.
  it("finds no frame for a reference of endless runs", () => {
    expect(nodeNamed(whole, Array(2000).fill("~zzzz").join("."))).toBe(-1);
  });
});
