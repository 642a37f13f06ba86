import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, writeProfile } from "@flamekeep/profile";
import { describe, expect, test } from "vitest";
import { signUp } from "./harness/sign-up.ts";
import { startFlamekeep } from "./harness/start-flamekeep.ts";

/** A control group of either version whose processes share so much memory; undefined where this user cannot make one. */
function groupOf(megabytes: number): { readonly path: string; remove(): void } | undefined {
  for (const [parent, file] of [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
    ["/sys/fs/cgroup", "memory.max"],
  ] as const) {
    const path = `${parent}/flamekeep-test-${process.pid}-${megabytes}`;
    try {
      mkdirSync(path);
      writeFileSync(`${path}/${file}`, String(megabytes * 2 ** 20));
      return { path, remove: () => rmdirSync(path) };
    } catch {
      // The other version, or a user without the right.
    }
  }
  return undefined;
}

function commandIn({ path }: { readonly path: string }) {
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
const tooSmall = groupOf(400);

describe("a container's limit of memory", () => {
  test.skipIf(small === undefined)("leaves room for four large heap profiles at once", async () => {
    try {
      await using flamekeep = await startFlamekeep({ env: { DEMO: "off" }, command: commandIn(small!) });
      const { key } = await signUp(flamekeep.url);
      const bodies = [1, 2, 3, 4].map(heap);
      const send = async (body: Uint8Array<ArrayBuffer>, index: number): Promise<number> => {
        const query = `service=large-${index}&type=memory`;
        const reply = await fetch(`${flamekeep.url}/api/v1/ingest/profiles?${query}`, {
          method: "POST",
          headers: { "x-api-key": key },
          body,
        });
        if (![429, 503].includes(reply.status)) return reply.status;
        const seconds = Number(reply.headers.get("retry-after"));
        expect(seconds).toBeGreaterThan(0);
        await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
        return send(body, index);
      };
      expect(await Promise.all(bodies.map(send))).toEqual([200, 200, 200, 200]);
      expect((await fetch(`${flamekeep.url}/readyz`)).status).toBe(200);
      expect(flamekeep.output()).not.toContain("engine stopped");
    } finally {
      small?.remove();
    }
  });

  test.skipIf(tooSmall === undefined)("that is too small is refused with both figures", async () => {
    try {
      const starting = startFlamekeep({ env: { DEMO: "off" }, command: commandIn(tooSmall!) });
      await expect(starting).rejects.toThrow(/is limited to 400 MiB, and Flamekeep needs at least 640 MiB/);
    } finally {
      tooSmall?.remove();
    }
  });
});
