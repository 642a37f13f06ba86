import { flameGraph, getProfile, toPath } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { decodeFlameGraph } from "@flamekeep/flame";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openedOrgId } from "#context";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { removeExpired } from "../accounts/job.ts";
import { evaluatedOrganizations } from "../alerts/store/queries.ts";
import { removeOldDays } from "../retention/job.ts";

const folded = (value: number) => Buffer.from(`main;work ${value}\nmain;idle 10\n`);
const cpu = (value: number) => Buffer.from(writeProfile(profileOf(`main main\nwork idle\n${value} 10`)));

describe("files that are opened without an account", () => {
  let server: TestApp;
  let callers = 0;
  beforeAll(async () => {
    server = await startApp({
      at: "2026-11-20T10:00:00Z",
      hasSeparateColumns: true,
      env: { OPEN_FILES: "on", OPEN_FILES_MAX_BYTES: "100000", OPEN_FILES_STORED_BYTES: "1048576" },
    });
  });
  afterAll(() => server.close());

  interface Sending {
    readonly query?: Readonly<Record<string, string>>;
    /** A new one for each call, because calls of one address are limited. */
    readonly from?: string;
    readonly app?: TestApp["app"];
  }

  function open(
    payload: Buffer,
    { query = { file: "checkout.folded" }, from, app = server.app }: Sending = {},
  ) {
    const remoteAddress = from ?? `10.1.0.${++callers}`;
    return app.inject({ method: "POST", url: "/api/v1/open", query, payload, remoteAddress });
  }

  const tokensOf = (reply: LightMyRequestResponse): string[] =>
    reply.json().graphs.map(({ url }: { url: string }) => url.split("/").at(-1));
  const shared = (path: string, token: string, app = server.app) =>
    app.inject({ method: "POST", url: `/api/v1/shared${path}`, payload: { token } });

  async function opened(payload: Buffer, sending?: Sending): Promise<string> {
    const reply = await open(payload, sending);
    expect([reply.statusCode, reply.body]).toEqual([201, expect.anything()]);
    return tokensOf(reply)[0]!;
  }

  it("have a link each, with the flame graph and the name of the file, for a day", async () => {
    const reply = await open(folded(30));
    expect(reply.json()).toMatchObject({
      file: "checkout.folded",
      sample_count: 40,
      graphs: [{ type: "custom" }],
      expires_at: new Date(server.clock.now().getTime() + dayMs).toISOString(),
    });
    const [token = ""] = tokensOf(reply);
    expect(token).toMatch(/^[\w-]{43}$/);
    const view = (await shared("", token)).json();
    expect(view).toMatchObject({ file: "checkout.folded", type: "custom", graph: { kind: "profile" } });
    const { tree } = decodeFlameGraph(new Uint8Array((await shared("/graph", token)).rawPayload));
    expect(tree.width[0]).toBe(40);
    expect(JSON.stringify(await server.rows.selectFrom("openedFiles").selectAll().execute())).not.toContain(
      token,
    );
    expect(server.logged.join("")).not.toContain(token);
  });

  it("are separate profiles, although somebody opened the same bytes before", async () => {
    const tokens = [await opened(cpu(5)), await opened(cpu(5))];
    const views = await Promise.all(tokens.map(async (token) => (await shared("", token)).json()));
    expect(new Set(views.map(({ graph }) => graph.profile_id)).size).toBe(2);
    expect(new Set(views.map(({ service }) => service)).size).toBe(2);
  });

  it("are read by nobody else: not by members, keys or guesses, and no list has them", async () => {
    const token = await opened(folded(7), { query: { file: "secret-plans.folded" } });
    const { graph, service } = (await shared("", token)).json();
    const ada = await server.signUp();
    const { headers } = await server.makeKey(ada, "reads", "read");
    for (const url of [flameGraph, getProfile].map((call) => toPath(call, { id: graph.profile_id }))) {
      for (const each of [ada.headers, headers]) {
        expect([401, 404]).toContain((await server.app.inject({ url, headers: each })).statusCode);
      }
      expect((await server.app.inject({ url })).statusCode).toBe(401);
    }
    const services = await server.app.inject({ url: "/api/v1/protected/services", headers: ada.headers });
    expect(services.body).not.toContain(service);
    for (const guess of [
      graph.profile_id,
      service,
      `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
      "",
    ])
      expect((await shared("", guess)).statusCode).toBe(404);
    const members = server.rows.selectFrom("memberships").selectAll().where("orgId", "=", openedOrgId);
    expect(await members.execute()).toEqual([]);
    const keys = server.rows.selectFrom("apiKeys").selectAll().where("orgId", "=", openedOrgId);
    expect(await keys.execute()).toEqual([]);
  });

  it("raise no alerts and are not analyzed", async () => {
    const ada = await server.signUp();
    const evaluated = await evaluatedOrganizations(server.rows);
    expect(evaluated).toContain(ada.orgId);
    expect(evaluated).not.toContain(openedOrgId);
  });

  it("are refused with sentences for visitors", async () => {
    const refused = async (reply: Promise<LightMyRequestResponse>) => {
      const { statusCode, body } = await reply;
      return [statusCode, JSON.parse(body).error];
    };
    expect(await refused(open(Buffer.alloc(100_001, "a")))).toEqual([
      413,
      "The file is larger than 100000 bytes, the most that this server opens without an account. Sign in to open larger files.",
    ]);
    expect(await refused(open(Buffer.alloc(0)))).toEqual([400, "The file is empty."]);
    expect(await refused(open(folded(1), { query: {} }))).toEqual([400, expect.stringContaining("file")]);
    const [status, sentence] = await refused(open(Buffer.from("\u0000\u0001 no profile")));
    expect(status).toBe(400);
    expect(sentence).toMatch(/format|profile/);
    expect(sentence).not.toContain("organization");
  });

  it("are limited for each address", async () => {
    const from = "10.9.9.9";
    const replies = [];
    for (let at = 0; at < 21; at++) replies.push(await open(Buffer.alloc(0), { from }));
    expect(replies.map(({ statusCode }) => statusCode).slice(0, 20)).toEqual(Array(20).fill(400));
    expect(replies[20]!.json()).toMatchObject({ code: "rate_limited" });
    expect((await open(folded(3), { from: "10.9.9.10" })).statusCode).toBe(201);
  });

  it("end after a day: their links at once, their bytes and rows with the retention", async () => {
    const token = await opened(folded(4));
    const [{ profileId, service } = { profileId: "", service: "" }] = await server.rows
      .selectFrom("openedFiles")
      .select(["profileId", "service"])
      .execute();
    server.clock.advance(dayMs - minuteMs);
    expect((await shared("", token)).statusCode).toBe(200);
    server.clock.advance(2 * minuteMs);
    expect((await shared("", token)).statusCode).toBe(404);
    expect(service).not.toBe("");
    await expect(server.ctx.profiles.read(openedOrgId, profileId)).resolves.toMatchObject({ service });
    server.clock.advance(dayMs + hourMs);
    const removed = await removeExpired(server.ctx.rows, server.clock.now());
    expect(removed.openedFiles).toBeGreaterThan(0);
    expect((await removeOldDays(server.ctx)).rows).toBeGreaterThan(0);
    await expect(server.ctx.profiles.read(openedOrgId, profileId)).rejects.toThrow("not found");
  });

  it("are refused, and their links end, once the operator switches them off", async () => {
    const token = await opened(folded(11));
    const config = { ...server.ctx.config, openFiles: undefined };
    const closed = await server.createApp({ config });
    expect((await shared("", token)).statusCode).toBe(200);
    expect((await shared("", token, closed)).statusCode).toBe(404);
    const reply = await open(folded(12), { app: closed });
    expect([reply.statusCode, reply.json().error]).toEqual([
      403,
      "This server opens files only for people who are signed in. Sign in, then drop the file on any page.",
    ]);
    expect((await closed.inject("/api/v1/config")).json().open_files).toBeNull();
    expect((await server.app.inject("/api/v1/config")).json().open_files).toEqual({
      size_bytes_max: 100_000,
    });
    await closed.close();
  });

  it("are limited in their bytes: the sentence does not speak of an organization", async () => {
    const noise = (seed: number) =>
      Buffer.from(
        Array.from({ length: 1000 }, (_, at) => `main;f${seed}_${at}_${"x".repeat(80)} 1\n`).join(""),
      );
    let reply = await open(noise(0));
    for (let at = 1; at < 30 && reply.statusCode === 201; at++) reply = await open(noise(at));
    expect([reply.statusCode, reply.json().error]).toEqual([
      403,
      "This server has no room for more files today. Try again tomorrow, or sign in to open the file.",
    ]);
  });
});
