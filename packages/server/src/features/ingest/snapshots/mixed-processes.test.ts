import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const start = Date.UTC(2026, 10, 20, 11);
const minute = 60_000;
const heapTypes = ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"];
const [oneVdso, otherVdso] = [0x7f0000001000, 0x7f0000002000];

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  /** A heap snapshot `minutes` after eleven of a process that has allocated `megabytes`. */
  const send = async (
    megabytes: number,
    minutes: number,
    {
      vdso,
      app = server.app,
      ...query
    }: { vdso?: number; app?: TestApp["app"]; [tag: string]: unknown } = {},
  ) => {
    const picture: Picture = {
      sampleTypes: heapTypes,
      samples: [["main;a", megabytes, megabytes * 1e6, 1, 100]],
      timeNs: BigInt(start + minutes * minute) * 1_000_000n,
      ...(vdso === undefined ? {} : { vdso }),
    };
    const sent = { app, headers, query: query as Record<string, string> };
    const reply = await server.trySend(pprofOf(picture), sent);
    return { statusCode: reply.statusCode, ...reply.json() };
  };
  /** Megabytes that were allocated, as stored. */
  const stored = async () => {
    const rows = await storedProfiles(server.ctx.columns, person.orgId);
    return rows.reduce((sum, { deltas_totals }) => sum + Number(deltas_totals[1]), 0) / 1e6;
  };
  return { send, stored, orgId: person.orgId, headers };
}

describe("two processes that send as one series", () => {
  test("are counted separately if their profiles identify them, with a notice", async () => {
    const { send, stored } = await sender();
    const replies: { statusCode: number; notice?: string }[] = [];
    for (let i = 0; i < 6; i++) {
      replies.push(await send(100 + 10 * i, 2 * i, { vdso: oneVdso }));
      replies.push(await send(5000 + 10 * i, 2 * i + 1, { vdso: otherVdso }));
    }
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200));
    expect(replies.slice(0, 2).map(({ notice }) => notice)).toEqual([undefined, undefined]);
    for (const { notice } of replies.slice(2)) {
      expect(notice).toMatch(/^Two processes send as one series: add tag\.instance=/);
    }
    expect(await stored()).toBe(100);
  });

  test("all but one are asked to add an instance if nothing identifies them", async () => {
    const { send, stored } = await sender();
    const codes: number[] = [];
    let refusal = "";
    for (let i = 0; i < 6; i++) {
      const one = await send(100 + 10 * i, 2 * i);
      const other = await send(5000 + 10 * i, 2 * i + 1);
      codes.push(one.statusCode, other.statusCode);
      refusal ||= one.error ?? "";
    }
    expect(codes).toEqual([200, 200, ...Array.from({ length: 5 }, () => [422, 200]).flat()]);
    expect(refusal).toMatch(/^Two processes send as one series.*add tag\.instance=/);
    expect(await stored()).toBe(50);
  });

  test("are exact with instance tags", async () => {
    const { send, stored } = await sender();
    for (let i = 0; i < 6; i++) {
      await send(100 + 10 * i, 2 * i, { "tag.instance": "a" });
      await send(5000 + 10 * i, 2 * i + 1, { "tag.instance": "b" });
    }
    expect(await stored()).toBe(100);
  });

  test.each([
    ["with identities", { vdso: oneVdso }, { vdso: otherVdso }, 60],
    ["without", {}, {}, 30],
  ])("are recognised after restarts of the server, %s", async (_, one, other, limit) => {
    const { send, stored } = await sender();
    for (let i = 0; i < 4; i++) {
      const app = await server.createApp();
      await send(100 + 10 * i, 2 * i, { ...one, app });
      await send(5000 + 10 * i, 2 * i + 1, { ...other, app });
      await app.close();
    }
    const total = await stored();
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(limit);
  });

  test("are exact in any number", async () => {
    const { send, stored } = await sender();
    for (let i = 0; i < 4; i++) {
      for (let process = 0; process < 7; process++) {
        const reply = await send(1000 * (process + 1) + i, 10 * i + process, {
          vdso: 2 ** 40 + 4096 * process,
        });
        expect(reply.statusCode).toBe(200);
      }
    }
    expect(await stored()).toBe(7 * 3);
  });
});

describe("a restart", () => {
  test("without tags counts where its counters can have grown meanwhile", async () => {
    const { send, stored } = await sender();
    for (const [i, megabytes] of [100, 200, 30, 60].entries()) await send(megabytes, i);
    expect(await stored()).toBe(160);
  });

  test("under a new version keeps its first snapshot", async () => {
    const { send, stored } = await sender();
    for (const [i, megabytes] of [100, 200, 30, 60].entries()) {
      await send(megabytes, i, { "tag.version": i < 2 ? "v1" : "v2", "tag.region": "eu" });
    }
    expect(await stored()).toBe(160);
  });

  test("under a new version in another place adds nothing with its first snapshot", async () => {
    const { send, stored } = await sender();
    for (const [i, megabytes] of [100, 200, 30, 60].entries()) {
      const [version, region] = i < 2 ? ["v1", "eu"] : ["v2", "us"];
      await send(megabytes, i, { "tag.version": version, "tag.region": region });
    }
    expect(await stored()).toBe(130);
  });
});

test("the recorded heap profiles of a program say that they are of one process", async () => {
  const { orgId, headers } = await sender();
  const recorded = new URL("../../../../../../examples/shop/recorded/checkout/", import.meta.url);
  const truth: bigint[] = [];
  // Two recordings of ten seconds each; the second process started after the first one had stopped.
  for (const [v, variant] of ["before", "after"].entries()) {
    for (let window = 1; window <= 4; window++) {
      const payload = await readFile(new URL(`${variant}/memory-0${window}.pb.gz`, recorded));
      const started_at = String(start + (10 * v + window) * minute);
      const query = { service: "checkout", type: "heap", "tag.instance": "a", started_at };
      expect(await server.send(payload, { headers, query })).not.toHaveProperty("notice");
    }
  }
  const rows = await storedProfiles(server.ctx.columns, orgId);
  for (const { totals } of rows) truth.push(totals[1]!);
  const added = rows.reduce((sum, { deltas_totals }) => sum + deltas_totals[1]!, 0n);
  expect(rows).toHaveLength(8);
  expect(added).toBe(truth[3]! - truth[0]! + truth[7]!);
});

test("the same recordings sent by turns without tags are two processes, exact and noticed", async () => {
  const { orgId, headers } = await sender();
  const recorded = new URL("../../../../../../examples/shop/recorded/catalog/", import.meta.url);
  const notices: boolean[] = [];
  for (let window = 1; window <= 8; window++) {
    for (const [v, variant] of ["before", "after"].entries()) {
      const payload = await readFile(new URL(`${variant}/memory-0${window}.pb.gz`, recorded));
      const query = { service: "catalog", started_at: String(start + (2 * window + v) * minute) };
      notices.push("notice" in (await server.send(payload, { headers, query })));
    }
  }
  const totals = (await storedProfiles(server.ctx.columns, orgId)).map((row) => [
    row.totals[1]!,
    row.deltas_totals[1]!,
  ]);
  const added = totals.reduce((sum, [, delta]) => sum + delta!, 0n);
  const truth = totals[14]![0]! - totals[0]![0]! + (totals[15]![0]! - totals[1]![0]!);
  expect(added).toBe(truth);
  expect(notices).toEqual([false, false, ...Array(14).fill(true)]);
});
