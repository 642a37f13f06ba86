import { dayMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimNext } from "#analysis/queue/claim.ts";
import { processAnalysis } from "#analysis/queue/process.ts";
import type { Context } from "#context";
import { openBackgroundDecoders, taskFile } from "#stacks/pool.ts";
import type * as tasks from "#stacks/testing/pool-tasks.ts";
import { removeOldAnalyses } from "./job.ts";
import { type AnalysingServer, startAnalyses } from "./testing/start-analyses.ts";

const at = "2026-11-20T12:00:00.000Z";
const poolTasks = taskFile<typeof tasks>(new URL("../../stacks/testing/pool-tasks.ts", import.meta.url));
let server: AnalysingServer;
beforeAll(async () => {
  server = await startAnalyses({ at });
});
afterAll(() => server.close());

function sendTo(service: string): Promise<string> {
  return server.sendRecorded("search/before/cpu-03.pb.gz", { service, type: "cpu", started_at: at });
}

async function start(profileId: string, app: FastifyInstance = server.app): Promise<string> {
  const url = `/api/v1/protected/profile/${profileId}/analyze`;
  const reply = await app.inject({ method: "POST", url, headers: server.person.headers, payload: {} });
  expect(reply.statusCode).toBe(200);
  return reply.json().id;
}

async function statusOf(id: string): Promise<string> {
  return (await server.call("GET", `analysis/${id}`)).json().status;
}

/** A server whose background thread works until it is ended, and a promise of its first task. */
async function hangingServer() {
  const begun = Promise.withResolvers<void>();
  const hang: Context["decoders"]["open"] = (_file, _name, _input, signal) => {
    begun.resolve();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("The thread was ended")));
    });
  };
  const backgroundDecoders: Context["decoders"] = { ...server.ctx.backgroundDecoders, open: hang };
  const app = await server.createApp({ backgroundDecoders });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, begun: begun.promise };
}

describe("the queue of a listening server", () => {
  it("begins an analysis at once, and the next server continues it after a stop in the middle", async () => {
    const profileId = await sendTo("restarted");
    const hanging = await hangingServer();
    const id = await start(profileId, hanging.app);
    await hanging.begun;
    expect(await statusOf(id)).toBe("processing");
    await hanging.app.close();
    expect(await statusOf(id)).toBe("pending");

    const next = await server.createApp();
    await next.listen({ host: "127.0.0.1", port: 0 });
    await expect.poll(() => statusOf(id), { timeout: 100_000 }).toBe("completed");
    await next.close();
  });

  it("ends the thread of a running analysis when it closes, before the thread itself is closed", async () => {
    const profileId = await sendTo("closed");
    await using decoders = openBackgroundDecoders();
    const began = new Int32Array(new SharedArrayBuffer(4));
    const open: Context["decoders"]["open"] = (_file, _name, _input, signal) =>
      decoders.run(poolTasks, "endless", began, signal);
    const app = await server.createApp({ backgroundDecoders: { ...server.ctx.backgroundDecoders, open } });
    await app.listen({ host: "127.0.0.1", port: 0 });
    const id = await start(profileId, app);
    await Atomics.waitAsync(began, 0, 0).value;
    await app.close();
    expect(await statusOf(id)).toBe("pending");
    expect(await decoders.run(poolTasks, "priority", undefined)).toEqual(expect.any(Number));
    await server.work();
  });

  it("does not begin an analysis that it claimed while it was stopping", async () => {
    const id = await start(await sendTo("late"));
    const stopping = new AbortController();
    const claimed = await claimNext(server.ctx.rows, {
      holder: "this test",
      kind: "builtin",
      now: server.clock.now(),
    });
    stopping.abort();
    let begun = 0;
    const builtin = () => Promise.reject(new Error(`begun ${++begun} times`));
    const work = { analysers: { builtin }, holder: "this test", stopped: stopping.signal };
    await processAnalysis(server.ctx, claimed!, work);
    expect([begun, await statusOf(id)]).toEqual([0, "pending"]);
    await server.work();
  });

  it("does not wait long for an analyser that ignores its abort", async () => {
    const id = await start(await sendTo("deaf"));
    const { ctx } = server;
    const claimed = await claimNext(ctx.rows, { holder: "a stop", kind: "builtin", now: server.clock.now() });
    const stopping = new AbortController();
    const endless = Promise.withResolvers<never>();
    const warnings: string[] = [];
    const log = Object.create(ctx.log, {
      warn: { value: (_fields: object, message: string) => void warnings.push(message) },
    });
    const builtin = () => {
      stopping.abort();
      return endless.promise;
    };
    const work = { analysers: { builtin }, holder: "a stop", stopped: stopping.signal, endMsMax: 20 };
    await processAnalysis({ ...ctx, log }, claimed!, work);
    expect(warnings).toEqual(["an aborted analysis still runs; the queue does not wait for it"]);
    expect(await statusOf(id)).toBe("pending");
    endless.reject(new Error("It failed long after"));
    await server.work();
    expect(await statusOf(id)).toBe("completed");
  });

  it("drops an analysis whose service is deleted while it runs", async () => {
    const profileId = await sendTo("deleted");
    const hanging = await hangingServer();
    const id = await start(profileId, hanging.app);
    await hanging.begun;
    const deleted = await server.app.inject({
      method: "DELETE",
      url: "/api/v1/protected/services/deleted",
      headers: server.person.headers,
      payload: { confirm: "deleted" },
    });
    expect(deleted.statusCode).toBe(200);
    await hanging.app.close();
    expect((await server.call("GET", `analysis/${id}`)).statusCode).toBe(404);
    expect(await server.work()).toBe(0);
  });
});

describe("analyses of the demo", () => {
  it("can be started by its visitors, who can change nothing else", async () => {
    const profileId = await sendTo("shown");
    const app = await server.createApp({ demo: { orgId: server.person.orgId } });
    const headers = { authorization: "Bearer test-api-key" };
    const ask = (method: "POST" | "PUT", path: string, payload: object) =>
      app.inject({ method, url: `/api/v1/protected/${path}`, headers, payload });
    const started = await ask("POST", `profile/${profileId}/analyze`, {});
    expect([started.statusCode, started.json().llm_provider]).toEqual([200, "builtin"]);
    await server.work();
    const { id } = started.json();
    expect(await statusOf(id)).toBe("completed");
    for (const [method, path] of [
      ["PUT", `analysis/${id}/recommendation/r1/feedback`],
      ["POST", `analysis/${id}/ask`],
    ] as const) {
      const refused = await ask(method, path, { state: "done", question: "Why?" });
      expect([refused.statusCode, refused.json().error]).toEqual([403, "The demo is read-only"]);
    }
    await app.close();
  });
});

describe("old analyses", () => {
  it("are removed with the data that they are about", async () => {
    const id = await start(await sendTo("old"));
    const { orgId } = server.person;
    await server.ctx.rows
      .updateTable("organizations")
      .set({ retentionDays: 7 })
      .where("id", "=", orgId)
      .execute();
    server.clock.advance(7 * dayMs);
    expect(await removeOldAnalyses(server.ctx)).toBe(0);
    server.clock.advance(dayMs);
    expect(await removeOldAnalyses(server.ctx)).toBeGreaterThan(0);
    const left = await server.rows.selectFrom("analyses").select("id").execute();
    expect(left.map((row) => row.id)).not.toContain(id);
  });
});
