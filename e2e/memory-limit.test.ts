import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, writeProfile } from "@flamekeep/profile";
import { afterAll, describe, expect, test } from "vitest";
import { signUp } from "./harness/sign-up.ts";
import { startFlamekeep } from "./harness/start-flamekeep.ts";

interface Group {
  readonly path: string;
  /** Processes that the system ended because the group's memory ran out. */
  killed(): number;
  remove(): void;
}

/** A control group of either version whose processes share so much memory; undefined where this user cannot make one. */
function groupOf(megabytes: number): Group | undefined {
  for (const [parent, limit, events] of [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.oom_control"],
    ["/sys/fs/cgroup", "memory.max", "memory.events"],
  ] as const) {
    const path = `${parent}/flamekeep-test-${process.pid}-${megabytes}`;
    try {
      mkdirSync(path);
      writeFileSync(`${path}/${limit}`, String(megabytes * 2 ** 20));
      return {
        path,
        killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(`${path}/${events}`, "utf8"))?.[1]),
        remove: () => rmdirSync(path),
      };
    } catch {
      // The other version, or a user without the right.
    }
  }
  return undefined;
}

function commandIn({ path }: Group) {
  const script = `echo $$ > ${path}/cgroup.procs && exec "$@"`;
  return ["sh", "-c", script, "sh", process.execPath, "scripts/bootstrap.mjs", "start"] as const;
}

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

const small = groupOf(640);
const tooSmall = groupOf(300);

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
        await using flamekeep = await startFlamekeep({ env: { DEMO: "off" }, command: commandIn(small!) });
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
    const starting = startFlamekeep({ env: { DEMO: "off", ...env }, command: commandIn(tooSmall!) });
    await expect(starting).rejects.toThrow(sentence);
  });
});

afterAll(() => tooSmall?.remove());
