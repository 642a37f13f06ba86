// @vitest-environment happy-dom
import {
  buildCallTree,
  encodeFlameGraph,
  type FlameGraph,
  nodeNamed,
  pruneTree,
  subtreeAt,
  widestPlace,
} from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { cleanup, render, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ToastHost } from "#ui/overlays/toast-host.tsx";
import { type LoadPart, useUnfolded } from "./use-unfolded.ts";

/** The code of toasts loads on first use, which takes long on a busy machine. */
const patient = { timeout: 20_000 };

afterEach(cleanup);

const meta = { profileId: "p1", totalSamples: 64, durationMs: 10, profileHash: "h" };
const whole = buildCallTree(stacksOf("main;a;x 40\nmain;a;y;z 9\nmain;b;w 8\nmain;c 7"), 0);
const graph: FlameGraph = { tree: pruneTree(whole, { maxNodes: 4 }), meta };

/** Answers as the server does. */
const partOf = (root: string) =>
  Promise.resolve(encodeFlameGraph(subtreeAt(whole, nodeNamed(whole, root)), meta));

const unfolded = (load: LoadPart, zoom: string) =>
  renderHook(
    (props: { zoom: string }) => useUnfolded(graph, { zoom: props.zoom, selectedFunction: "a" }, load),
    { initialProps: { zoom } },
  );

it("loads the frames that were left out below the zoomed frame, once", async () => {
  const load = vi.fn<LoadPart>((root) => partOf(root));
  const { result, rerender } = unfolded(load, "");
  expect([result.current?.length, load.mock.calls.length]).toEqual([4, 0]);
  rerender({ zoom: "0.0" });
  await waitFor(() => expect(result.current?.length).toBe(6));
  rerender({ zoom: "" });
  rerender({ zoom: "0.0" });
  expect(load.mock.calls.map(([root]) => root)).toEqual(["0.0"]);
  rerender({ zoom: "0" });
  await waitFor(() => expect(result.current?.length).toBe(whole.length));
  expect(result.current?.elisions.length).toBe(0);
});

it("loads them below the widest place of the selected function", async () => {
  const load = vi.fn<LoadPart>((root) => partOf(root));
  const { result } = unfolded(load, widestPlace);
  await waitFor(() => expect(result.current?.length).toBe(6));
  expect(load.mock.calls.map(([root]) => root)).toEqual(["0.0"]);
});

it("follows a link to a frame that is not in the graph before", async () => {
  const { result } = unfolded((root) => partOf(root), "0.1.0");
  await waitFor(() => expect(result.current?.length).toBe(whole.length));
});

it("keeps the graph if the part is one of another graph", async () => {
  const other = buildCallTree(stacksOf("main;a;x 41"), 0);
  const load = vi.fn<LoadPart>(async (root) =>
    encodeFlameGraph(subtreeAt(other, nodeNamed(other, root)), meta),
  );
  render(<ToastHost />);
  const { result } = unfolded(load, "0.0");
  await screen.findByText(/^Could not load the small frames: the graph has changed/, {}, patient);
  expect(result.current).toBe(graph.tree);
  expect(load).toHaveBeenCalledTimes(1);
});
