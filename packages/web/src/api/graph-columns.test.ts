import { buildCallTree, decodeFlameGraph, encodeFlameGraph } from "@flamekeep/flame";
import { stacksOf, syntheticStacks } from "@flamekeep/flame/testing";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { earlyPreviewOf, isEarlyPreview, readGraphColumns } from "./graph-columns.ts";

const meta = { profileId: "p1", totalSamples: 7, durationMs: 10_000, profileHash: "h1" };
const large = encodeFlameGraph(
  buildCallTree(syntheticStacks({ stacks: 6_000, depth: 40, names: 3_000 }), 0),
  meta,
);
const queryKey = ["graph"];

/** A reply that arrives as the test sends it. */
function reply() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    { highWaterMark: 100 },
    { highWaterMark: 100 },
  );
  const writer = writable.getWriter();
  return { response: new Response(readable), writer };
}

it("a large graph is its preview until all bytes are there", async () => {
  const client = new QueryClient();
  const { response, writer } = reply();
  const reading = readGraphColumns(response, { client, queryKey });
  const half = large.length >> 1;
  for (let at = 0; at < half; at += 4096) await writer.write(large.slice(at, Math.min(half, at + 4096)));
  await expect.poll(() => client.getQueryData(queryKey)).toBeDefined();
  const early = client.getQueryData<Uint8Array>(queryKey)!;
  expect(isEarlyPreview(early)).toBe(true);
  expect(decodeFlameGraph(early).tree.length).toBeLessThan(5000);
  await writer.write(large.slice(half));
  await writer.close();
  const bytes = await reading;
  expect(bytes).toEqual(large);
  expect([isEarlyPreview(bytes), earlyPreviewOf(bytes)]).toEqual([false, early]);
});

it("a graph on screen is not replaced by a preview of the next one, and a small one has none", async () => {
  const small = encodeFlameGraph(buildCallTree(stacksOf("main;a 3"), 0), meta);
  for (const [bytes, data] of [
    [large, small],
    [small, undefined],
  ] as const) {
    const client = new QueryClient();
    if (data !== undefined) client.setQueryData(queryKey, data);
    expect(await readGraphColumns(new Response(bytes), { client, queryKey })).toEqual(bytes);
    expect(client.getQueryData(queryKey)).toBe(data);
    expect(earlyPreviewOf(bytes)).toBeUndefined();
  }
});

it("a graph that nobody waits for any more has no preview left, which would pass for the graph", async () => {
  const client = new QueryClient();
  const { response, writer } = reply();
  const observer = new QueryObserver(client, {
    queryKey,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: (context) => {
      context.signal.addEventListener("abort", () => void writer.abort(context.signal.reason));
      return readGraphColumns(response, context);
    },
  });
  const leave = observer.subscribe(() => undefined);
  await writer.write(large.slice(0, large.length >> 1));
  await expect.poll(() => isEarlyPreview(client.getQueryData(queryKey))).toBe(true);
  leave();
  await expect
    .poll(() => client.getQueryState(queryKey))
    .toMatchObject({ status: "pending", data: undefined });
});

it("a reply that breaks off fails", async () => {
  const { response, writer } = reply();
  const reading = readGraphColumns(response, { client: new QueryClient(), queryKey });
  await writer.write(large.slice(0, 100));
  await writer.abort(new TypeError("the connection was lost"));
  await expect(reading).rejects.toThrow("the connection was lost");
});
