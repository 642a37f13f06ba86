// @vitest-environment happy-dom
import { buildCallTree, type CallTree, defaultFlameView, zoomedNode } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { StaleGraphProvider } from "#flame-graph/frame/wanted-function.ts";
import { useKeptView } from "./use-kept-view.ts";

afterEach(cleanup);

const first = buildCallTree(stacksOf("main;a 50\nmain;b 30"), 0);
const refreshed = buildCallTree(stacksOf("main;a 50\nmain;b 60"), 0);

function zoomIn(tree: CallTree, zoom: string) {
  let isStale = false;
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <StaleGraphProvider value={isStale}>{children}</StaleGraphProvider>
  );
  const { result, rerender } = renderHook(
    (props: { readonly tree: CallTree; readonly zoom: string }) =>
      useKeptView(props.tree, null, { ...defaultFlameView, zoom: props.zoom }, true),
    { initialProps: { tree, zoom }, wrapper },
  );
  return {
    function: (of: CallTree) => of.functions.name[of.fn[zoomedNode(of, result.current)]!],
    show(next: CallTree, ref = zoom, stale = false) {
      isStale = stale;
      rerender({ tree: next, zoom: ref });
    },
  };
}

test("a refresh that changes the order of siblings keeps the zoom at its frame", () => {
  const zoomed = zoomIn(first, "0.1");
  expect(zoomed.function(first)).toBe("b");
  zoomed.show(refreshed);
  expect(zoomed.function(refreshed)).toBe("b");
  zoomed.show(first);
  expect(zoomed.function(first)).toBe("b");
});

test("a zoom chosen after the refresh is one of the new graph", () => {
  const zoomed = zoomIn(first, "0.1");
  zoomed.show(refreshed);
  zoomed.show(refreshed, "0.0");
  expect(zoomed.function(refreshed)).toBe("b");
  zoomed.show(first, "0.0");
  expect(zoomed.function(first)).toBe("b");
});

test("a link is not read in the graph before, while its own one loads", () => {
  const zoomed = zoomIn(first, "");
  zoomed.show(first, "0.1", true);
  zoomed.show(refreshed, "0.1");
  expect(zoomed.function(refreshed)).toBe("a");
});
