// @vitest-environment happy-dom
import { buildCallTree, encodeFlameGraph } from "@flamekeep/flame";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { QueryClient } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readGraphColumns } from "#api/graph-columns.ts";
import { useFlameGraph } from "./use-flame-graph.ts";

const meta = { profileId: "p1", totalSamples: 7, durationMs: 10_000, profileHash: "h1" };
const whole = buildCallTree(syntheticStacks({ stacks: 6_000, depth: 40, names: 3_000 }), 0);

/** Decoding takes long on a busy machine. */
const patient = { timeout: 10_000 };

/** A tab that is not painted: no frame begins. */
beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("shows the preview of a large graph first", async () => {
  const bytes = encodeFlameGraph(whole, meta);
  const { result } = renderHook(() => useFlameGraph(bytes, true));
  await waitFor(() => expect(result.current).toMatchObject({ state: "decoded", isPreview: true }), patient);
});

it("keeps a preview that came early until the whole graph is decoded", async () => {
  vi.stubGlobal("requestAnimationFrame", (run: FrameRequestCallback) => setTimeout(run));
  const bytes = encodeFlameGraph(whole, meta);
  const client = new QueryClient();
  const full = await readGraphColumns(new Response(bytes), { client, queryKey: ["graph"] });
  const early = client.getQueryData<Uint8Array>(["graph"])!;
  const { result, rerender } = renderHook(({ data }) => useFlameGraph(data, true), {
    initialProps: { data: early },
  });
  await waitFor(() => expect(result.current).toMatchObject({ isPreview: true, bytes: early }), patient);
  const { graph } = result.current as { graph: unknown };
  rerender({ data: full });
  await waitFor(() => expect(result.current).toMatchObject({ isPreview: true, bytes: full }), patient);
  expect(result.current).toHaveProperty("graph", graph);
});

it("decodes the whole graph in a hidden tab, where no frame begins", async () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  const bytes = encodeFlameGraph(whole, meta);
  const { result } = renderHook(() => useFlameGraph(bytes, true));
  await waitFor(() => expect(result.current).toMatchObject({ state: "decoded", isPreview: false }), patient);
});
