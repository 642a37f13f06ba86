// @vitest-environment happy-dom
import { buildCallTree, encodeFlameGraph } from "@flamekeep/flame";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
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

it("decodes the whole graph in a hidden tab, where no frame begins", async () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  const bytes = encodeFlameGraph(whole, meta);
  const { result } = renderHook(() => useFlameGraph(bytes, true));
  await waitFor(() => expect(result.current).toMatchObject({ state: "decoded", isPreview: false }), patient);
});
