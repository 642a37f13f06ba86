import { describe, expect, it } from "vitest";
import { block, bytesOf, number } from "../testing/proto.ts";
import { commonLabels } from "./common-labels.ts";

/** A profile with one sample for each list of labels; a label is two indexes of strings, or a number. */
function profileWith(
  strings: readonly string[],
  ...samples: (readonly [number, number | { num: number }])[][]
) {
  return bytesOf(
    ...samples.map((labels) =>
      block(
        2,
        ...labels.map(([key, value]) =>
          block(3, number(1, key), typeof value === "number" ? number(2, value) : number(3, value.num)),
        ),
        number(2, 1),
      ),
    ),
    ...["", ...strings].map((text) => block(6, text)),
  );
}

const strings = ["region", "eu", "handler", "/checkout", "/cart"];

describe("common labels", () => {
  it("are those that every sample has with the same value", () => {
    const raw = profileWith(
      strings,
      [
        [1, 2],
        [3, 4],
      ],
      [
        [3, 5],
        [1, 2],
      ],
      [[1, 2]],
    );
    expect(commonLabels(raw)).toEqual([["region", "eu"]]);
  });

  it("are none where one sample has none, where values differ, and without samples", () => {
    expect(commonLabels(profileWith(strings, [[1, 2]], []))).toEqual([]);
    expect(commonLabels(profileWith(strings, [[3, 4]], [[3, 5]]))).toEqual([]);
    expect(commonLabels(profileWith(strings))).toEqual([]);
  });

  it("do not include numeric labels", () => {
    expect(commonLabels(profileWith(strings, [[1, { num: 512 }]], [[1, { num: 512 }]]))).toEqual([]);
  });

  it("are empty for bytes that are not a profile", () => {
    expect(commonLabels(Uint8Array.of(0x12, 0x7f))).toEqual([]);
  });
});
