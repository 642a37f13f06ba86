import process from "node:process";
import { gzipSync } from "node:zlib";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, writeProfile } from "@flamekeep/profile";
import { afterAll, describe, expect, test } from "vitest";
import { inGroup, memoryGroup } from "./harness/memory-group.ts";
import { signUp } from "./harness/sign-up.ts";
import { startFlamekeep } from "./harness/start-flamekeep.ts";

const start = [process.execPath, "scripts/bootstrap.mjs", "start"] as const;

/** Go's heap profile of a large service: 33,000 stacks of 4,100 functions. */
function heap(seed: number): Uint8Array<ArrayBuffer> {
  const stacks = syntheticStacks({ stacks: 33_000, depth: 24, names: 4100 });
  const sampleTypes = [
    "alloc_objects/count",
    "alloc_space/bytes",
    "inuse_objects/count",
    "inuse_space/bytes",
  ].map((name) => ({ type: name.split("/")[0]!, unit: name.split("/")[1]! }));
  const values = sampleTypes.map((_, type) =>
    Float64Array.from(
      Array.from<number | bigint>(stacks.values[0]!),
      (value) => Number(value) * (type + 1) + seed,
    ),
  );
  const facts = { timeNs: BigInt(Date.now()) * 1_000_000n, durationNs: 0n };
  return new Uint8Array(gzipSync(writeProfile(profileOfStacks({ ...stacks, sampleTypes, values }, facts))));
}

const small = memoryGroup(640);
const tooSmall = memoryGroup(300);

/** Resolves with the profile's id. */
async function send(url: string, key: string, body: Uint8Array<ArrayBuffer>, index: number): Promise<string> {
  const reply = await fetch(`${url}/api/v1/ingest/profiles?service=large-${index}&type=memory`, {
    method: "POST",
    headers: { "x-api-key": key },
    body,
  });
  if ([429, 503].includes(reply.status)) {
    const seconds = Number(reply.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    return send(url, key, body, index);
  }
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { readonly profile_id: string }).profile_id;
}

describe("a container's limit of memory", () => {
  test.skipIf(small === undefined)(
    "leaves room for four large heap profiles at once, and their graphs",
    async () => {
      try {
        await using flamekeep = await startFlamekeep({
          env: { DEMO: "off" },
          command: inGroup(small!, ...start),
        });
        const { key, headers } = await signUp(flamekeep.url);
        const bodies = [1, 2, 3, 4].map(heap);
        const ids = await Promise.all(bodies.map((body, index) => send(flamekeep.url, key, body, index)));
        const read = (path: string) => fetch(`${flamekeep.url}/api/v1/protected/${path}`, { headers });
        await Promise.all(
          ids.map(async (id, index) => {
            const graph = await read(`flamegraph/${id}`);
            expect(graph.status).toBe(200);
            expect(
              Number(((await graph.json()) as { readonly total_samples: number }).total_samples),
            ).toBeGreaterThan(0);
            const stored = await read(`profile/${id}/download`);
            expect(Buffer.compare(new Uint8Array(await stored.arrayBuffer()), bodies[index]!)).toBe(0);
          }),
        );
        expect((await fetch(`${flamekeep.url}/readyz`)).status).toBe(200);
        expect(small!.killed()).toBe(0);
        expect(flamekeep.output()).not.toContain("engine stopped");
        expect(await flamekeep.stop("SIGTERM")).toBe(0);
      } finally {
        small?.remove();
      }
    },
  );

  test.skipIf(tooSmall === undefined).each([
    [{}, /is limited to 300 MiB, and Flamekeep needs at least 640 MiB: raise/],
    [{ CLICKHOUSE_URL: "http://127.0.0.1:1" }, /needs at least 384 MiB with CLICKHOUSE_URL: raise/],
  ])("that is too small is refused with both figures (%o)", async (env, sentence) => {
    const starting = startFlamekeep({ env: { DEMO: "off", ...env }, command: inGroup(tooSmall!, ...start) });
    await expect(starting).rejects.toThrow(sentence);
  });
});

afterAll(() => tooSmall?.remove());
