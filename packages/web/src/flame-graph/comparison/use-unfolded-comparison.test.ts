// @vitest-environment happy-dom
import { nodeNamed, widestPlace } from "@flamekeep/flame";
import {
  type ComparisonMeta,
  comparisonAt,
  encodeComparison,
  pruneComparison,
  unscaled,
} from "@flamekeep/flame/compare";
import { compared } from "@flamekeep/flame/testing";
import { renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type LoadComparedPart, useUnfoldedComparison } from "./use-unfolded-comparison.ts";

const whole = compared("main;a;x 40\nmain;a;y;z 9\nmain;b 8", "main;a;x 50\nmain;c 7");
const pruned = pruneComparison(whole, unscaled, 4);
const side = {
  profileId: null,
  service: "checkout",
  from: "",
  to: "",
  tags: {},
  profiles: 1,
  durationMs: 1,
  total: 57,
};
const meta: ComparisonMeta = {
  type: "cpu",
  hash: "h",
  sampleTypes: [],
  aggregation: "sum",
  before: side,
  after: side,
  normalisations: [{ per: "profile", before: 1, after: 1 }],
  noRequests: null,
};

/** Answers as the server does. */
const partOf = (root: string) =>
  Promise.resolve(encodeComparison(comparisonAt(whole, nodeNamed(whole, root)), meta));

it.each(["0.0", widestPlace])(
  "loads the frames that were left out below the zoomed frame %s",
  async (zoom) => {
    const load = vi.fn<LoadComparedPart>((root) => partOf(root));
    const { result, rerender } = renderHook(
      (props: { zoom: string }) =>
        useUnfoldedComparison(
          pruned,
          { view: { zoom: props.zoom, selectedFunction: "a" }, scale: unscaled },
          load,
        ),
      { initialProps: { zoom: "" } },
    );
    expect([result.current.length, load.mock.calls.length]).toEqual([4, 0]);
    rerender({ zoom });
    await waitFor(() => expect(result.current.length).toBe(6));
    rerender({ zoom: "" });
    rerender({ zoom });
    expect(load.mock.calls.map(([root]) => root)).toEqual(["0.0"]);
  },
);
