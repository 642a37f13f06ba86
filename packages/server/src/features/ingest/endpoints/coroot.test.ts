import { downloadProfile, flameGraph, toPath } from "@flamekeep/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T18:00:00.000Z";
const timeNs = BigInt(Date.parse(at)) * 1_000_000n - 60_000_000_000n;

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  /** As Coroot's agents do: without a Content-Type. */
  const send = (query: string, body: Uint8Array) =>
    server.app.inject({
      method: "POST",
      url: `/v1/profiles?${query}`,
      headers: { "x-api-key": headers["x-api-key"]! },
      payload: Buffer.from(body),
    });
  return { ...person, send };
}

const cpu: Picture = {
  sampleTypes: ["/count", "go:profile_cpu:nanoseconds/nanoseconds"],
  samples: [["main;work", 3, 30_000_000]],
  timeNs,
  durationNs: 10_000_000_000n,
};

describe("Coroot's agents", () => {
  test("send CPU profiles, whose values have the names of Go here and in every graph", async () => {
    const { orgId, send, headers } = await sender();
    const reply = await send(
      "service.name=%2Fk8s%2Fshop%2Fcheckout&container.id=%2Fk8s%2Fshop%2Fcheckout-1",
      pprofOf(cpu),
    );
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    const [row] = await storedProfiles(server.ctx.columns, orgId);
    expect(row).toMatchObject({
      service: "/k8s/shop/checkout",
      type: "cpu",
      sample_types: ["samples/count", "cpu/nanoseconds"],
      tags: { "container.id": "/k8s/shop/checkout-1" },
    });
    expect(await storedFolded(server.ctx.columns, orgId, "cpu/nanoseconds")).toEqual(["main;work 30000000"]);
    const graph = await server.app.inject({
      url: `${toPath(flameGraph, { id: row!.profile_id })}?sample_type=cpu`,
      headers,
    });
    expect([graph.statusCode, graph.body]).toEqual([200, expect.stringContaining("30000000")]);
    const file = await server.app.inject({
      url: toPath(downloadProfile, { id: row!.profile_id }),
      headers,
    });
    expect(file.rawPayload.equals(pprofOf(cpu))).toBe(true);
  });

  test("subtract counters themselves, and say which profile is of blocking", async () => {
    const { orgId, send } = await sender();
    const block: Picture = {
      sampleTypes: ["go:block_contentions:count/count", "go:block_delay:nanoseconds/nanoseconds"],
      samples: [["main;wait", 2, 500]],
      timeNs,
      durationNs: 0n,
    };
    await send("service.name=a", pprofOf(block));
    await send("service.name=a", pprofOf({ ...block, timeNs: timeNs + 15_000_000_000n }));
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(rows.map(({ type }) => type)).toEqual(["block", "block"]);
    expect(await storedFolded(server.ctx.columns, orgId, "delay/nanoseconds")).toEqual(["main;wait 1000"]);
  });

  test("read a sentence where the service or the profile is wrong", async () => {
    const { orgId, send } = await sender();
    const nameless = await send("service.name=", pprofOf(cpu));
    expect([nameless.statusCode, nameless.json()]).toEqual([
      400,
      { code: 3, message: expect.stringContaining("service"), details: [] },
    ]);
    const damaged = await send("service.name=a", pprofOf(cpu).subarray(0, 40));
    expect([damaged.statusCode, damaged.json().code]).toEqual([400, 3]);
    expect(await storedProfiles(server.ctx.columns, orgId)).toEqual([]);
  });
});
