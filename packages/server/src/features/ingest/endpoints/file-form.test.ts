import { once } from "node:events";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { limits } from "@flamekeep/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T12:00:00.000Z";
const url = "/api/v1/ingest/profiles";
const sessionUrl = "/api/v1/protected/profiles";
const boundary = "----test";
const formType = `multipart/form-data; boundary=${boundary}`;

const cpuAt = (iso: string) =>
  gzipSync(
    pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [["main;handle", 3, 30_000_000]],
      timeNs: BigInt(Date.parse(iso)) * 1_000_000n,
      durationNs: 1_000_000_000n,
      periodType: "cpu/nanoseconds",
    }),
  );
const cpu = cpuAt("2026-11-20T11:59:00.000Z");
const folded = Buffer.from("main;encode 7\nmain;gc 3\n");
const contentions = pprofOf({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main", 1, 2]],
});

type Part = readonly [name: string, filename: string | undefined, body: Buffer | string];

function formOf(parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  const written = parts.flatMap(([name, filename, body]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? "" : `; filename="${filename}"`,
    "\r\n\r\n",
    body,
    "\r\n",
  ]);
  return Buffer.concat([...written, end].map((part) => Buffer.from(part)));
}

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at, env: { INGEST_MAX_BYTES: "200000" } });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { id, headers } = await server.makeKey(person);
  const send = (payload: Buffer, query: Record<string, string> = { service: "checkout" }, type = formType) =>
    server.app.inject({ method: "POST", url, query, payload, headers: { ...headers, "content-type": type } });
  const usage = async () => {
    const reply = await server.app.inject({
      url: `/api/v1/protected/api-keys/${id}/usage`,
      headers: person.headers,
    });
    const { profiles, refused, refusals } = reply.json().usage;
    return { profiles, refused, codes: refusals.map(({ code }: { code: string }) => code) };
  };
  return { person, orgId: person.orgId, send, usage };
}

describe("a form of files", () => {
  test("has a result for each file, and one that is refused does not stop the others", async () => {
    const { orgId, send, usage } = await sender();
    const reply = await send(
      formOf([
        ["tag.region", undefined, "eu"],
        ["a", "deep/folder/cpu.pb.gz", cpu],
        ["b", "login.html", "<!doctype html><html>"],
        ["c", "stacks.folded", folded],
        ["d", "again.pb.gz", cpu],
        ["e", "mutex.pprof", contentions],
        ["f", "contentions.pprof", contentions],
      ]),
    );
    expect(reply.statusCode).toBe(200);
    const { files, ...counts } = reply.json();
    expect(counts).toEqual({ accepted: 3, duplicate: 1, refused: 2 });
    expect(files).toMatchObject([
      {
        file: "cpu.pb.gz",
        status: "accepted",
        profile: { service: "checkout", type: "cpu", sample_count: 3, recognized_as: "a pprof profile" },
      },
      { file: "login.html", status: "refused", code: "invalid" },
      { file: "stacks.folded", status: "accepted", profile: { recognized_as: "collapsed stacks" } },
      { file: "again.pb.gz", status: "duplicate", profile: { profile_id: files[0].profile.profile_id } },
      { file: "mutex.pprof", status: "accepted", profile: { type: "mutex" } },
      { file: "contentions.pprof", status: "refused", code: "invalid" },
    ]);
    expect(files[1].error).toContain("this is an HTML page");
    const stored = await storedProfiles(server.ctx.columns, orgId);
    expect(stored.map(({ type, tags }) => [type, tags])).toEqual(
      expect.arrayContaining([
        ["cpu", { region: "eu" }],
        ["mutex", { region: "eu" }],
      ]),
    );
    expect(stored.length).toBe(3);
    const kept = await server.ctx.payloads.read(orgId, files[0].profile.profile_id);
    expect(Buffer.from(kept!.bytes).equals(cpu)).toBe(true);
    expect(await usage()).toEqual({ profiles: 3, refused: 2, codes: ["invalid"] });
  });

  test("may name the service in a part, and parameters of the URL win", async () => {
    const { send } = await sender();
    const form = formOf([
      ["service", undefined, "from-form"],
      ["type", undefined, "custom"],
      ["__proto__", undefined, "x"],
      ["file", "a.folded", folded],
    ]);
    const named = await send(form, {});
    expect(named.json()).toMatchObject({ files: [{ profile: { service: "from-form", type: "custom" } }] });
    const inUrl = await send(form, { service: "from-url" });
    expect(inUrl.json()).toMatchObject({ files: [{ profile: { service: "from-url" } }] });
    const unnamed = await send(formOf([["file", "a.folded", folded]]), {});
    expect([unnamed.statusCode, unnamed.json().error]).toEqual([
      400,
      expect.stringContaining("service is required"),
    ]);
  });

  test.each([
    ["is cut off", formOf([["f", "a.folded", folded]]).subarray(0, -30), 400, "the upload was cut off"],
    ["has no file", formOf([["service", undefined, "s"]]), 400, "The form has no file"],
    [
      "has a part without a name",
      Buffer.from(`--${boundary}\r\nX: y\r\n\r\nz\r\n--${boundary}--`),
      400,
      "no name",
    ],
    [
      "has more files than one request may have",
      formOf(Array.from({ length: limits.uploadFilesMax + 1 }, (_, i): Part => ["f", `${i}.folded`, folded])),
      413,
      `one request may have ${limits.uploadFilesMax}`,
    ],
    [
      "has more parts than it may have files and parameters",
      formOf(Array.from({ length: 1000 }, (_, i): Part => ["f", `${i}.folded`, ""])),
      400,
      `Send at most ${limits.uploadFilesMax} files and 40 parameters`,
    ],
    [
      "has more parameters than one request may have",
      formOf([
        ...Array.from({ length: 41 }, (_, i): Part => [`tag.t${i}`, undefined, "x"]),
        ["f", "a.folded", folded],
      ]),
      413,
      "The form has 41 parameters; one request may have 40.",
    ],
    [
      "is larger than one upload may be",
      formOf([["f", "a", Buffer.alloc(300_000)]]),
      413,
      "INGEST_MAX_BYTES",
    ],
  ] as const)("that %s is refused as a whole", async (_, body, status, text) => {
    const { orgId, send } = await sender();
    const reply = await send(body);
    expect([reply.statusCode, reply.json().error]).toEqual([status, expect.stringContaining(text)]);
    expect(await storedProfiles(server.ctx.columns, orgId)).toEqual([]);
    // A refused form leaves its room to the next one.
    expect((await send(formOf([["f", "a.folded", folded]]))).json()).toMatchObject({ accepted: 1 });
  });

  test("may have as many files as one request may have", async () => {
    const { send } = await sender();
    const parts = Array.from(
      { length: limits.uploadFilesMax },
      (_, i): Part => ["f", `${i}.folded`, `main;f${i} 1\n`],
    );
    expect((await send(formOf(parts))).json()).toMatchObject({ accepted: limits.uploadFilesMax, refused: 0 });
  });

  test("counts each file for the organization's uploads per minute", async () => {
    const { person, send } = await sender();
    await server.rows
      .insertInto("organizationLimits")
      .values({ orgId: person.orgId, name: "uploads_per_minute", value: 2 })
      .execute();
    server.ctx.keys.forgetOrganization(person.orgId);
    const reply = await send(
      formOf(["a", "b", "c"].map((name): Part => [name, `${name}.folded`, `main;${name} 1\n`])),
    );
    expect(reply.json().files.map(({ code = "ok" }: { code?: string }) => code)).toEqual([
      "ok",
      "ok",
      "rate_limited",
    ]);
  });

  test("has a long value of a tag shortened as in the URL, and the reply says so", async () => {
    const { orgId, send } = await sender();
    const reply = await send(
      formOf([
        ["tag.note", undefined, "é".repeat(10_001)],
        ["f", "a.folded", folded],
      ]),
    );
    expect(reply.json()).toMatchObject({ files: [{ profile: { trimmed: { tag_text: 1 } } }] });
    const [stored] = await storedProfiles(server.ctx.columns, orgId);
    expect(stored!.tags).toEqual({ note: "é".repeat(1024) });
  });

  test("has file names without hidden characters in the reply", async () => {
    const { send } = await sender();
    const reply = await send(formOf([["f", "deep/a\0\u202eb.folded", folded]]));
    expect(reply.json().files[0].file).toBe("a\ufffd\ufffdb.folded");
  });

  test.each([
    ["no boundary", "multipart/form-data"],
    ["another kind of form", `multipart/mixed; boundary=${boundary}`],
    ["another boundary", "multipart/form-data; boundary=other"],
  ])("whose Content-Type has %s is refused with how to send it", async (_, type) => {
    const { send } = await sender();
    const form = formOf([
      ["service", undefined, "checkout"],
      ["f", "a.folded", folded],
    ]);
    const reply = await send(form, {}, type);
    expect([reply.statusCode, reply.json().error]).toEqual([
      400,
      expect.stringMatching(/boundary.*Let your client set/),
    ]);
  });

  test("that is compressed as a whole is refused with how to send it", async () => {
    const { send } = await sender();
    const reply = await send(gzipSync(formOf([["f", "a.folded", folded]])));
    expect([reply.statusCode, reply.json().error]).toEqual([
      400,
      "The form is compressed. Send it uncompressed, with compressed files in it.",
    ]);
    // A compressed profile whose Content-Type is wrong is a profile.
    expect((await send(cpu)).statusCode).toBe(200);
  });

  test("with a parameter that comes twice is refused with its name", async () => {
    const { send } = await sender();
    const form = formOf([
      ["tag.region", undefined, "eu"],
      ["tag.region", undefined, "us"],
      ["f", "a.folded", folded],
    ]);
    const reply = await send(form);
    expect([reply.statusCode, reply.json().error]).toEqual([
      400,
      'The form has the parameter "tag.region" more than once. Send each parameter once.',
    ]);
  });

  test("that only its Content-Type announces is one profile", async () => {
    const { send } = await sender();
    expect((await send(folded)).json()).toMatchObject({ sample_count: 10 });
  });
});

describe("a file that a person opens", () => {
  const open = (headers: Record<string, string>, payload: Buffer, query: Record<string, string> = {}) =>
    server.app.inject({
      method: "POST",
      url: sessionUrl,
      headers,
      payload,
      query: { service: "checkout", file: "cpu.pb.gz", ...query },
    });

  test("is stored by admins and members, and readable by their organization alone", async () => {
    const ada = await server.signUp();
    const other = await server.signUp();
    for (const role of ["admin", "member"] as const) {
      await server.setRole(ada, role);
      const reply = await open(ada.headers, cpu, { service: role, "tag.env": "test" });
      expect([reply.statusCode, reply.json()]).toEqual([
        200,
        expect.objectContaining({
          service: role,
          type: "cpu",
          recognized_as: "a pprof profile",
          ignored: [],
        }),
      ]);
      const path = `/api/v1/protected/profile/${reply.json().profile_id}`;
      const read = (headers: Record<string, string>) => server.app.inject({ url: path, headers });
      expect((await read(ada.headers)).json()).toMatchObject({ service: role, tags: { env: "test" } });
      expect((await read(other.headers)).statusCode).toBe(404);
    }
  });

  test("is refused for viewers, strangers and keys", async () => {
    const ada = await server.signUp();
    const { headers } = await server.makeKey(ada);
    await server.setRole(ada, "viewer");
    expect((await open(ada.headers, cpu)).statusCode).toBe(403);
    expect((await open({}, cpu)).statusCode).toBe(401);
    expect((await open(headers, cpu)).statusCode).toBe(401);
    expect(await storedProfiles(server.ctx.columns, ada.orgId)).toEqual([]);
  });

  test("is one a call: a form is refused and says so", async () => {
    const ada = await server.signUp();
    const reply = await open({ ...ada.headers, "content-type": formType }, formOf([["f", "a.pb.gz", cpu]]));
    expect([reply.statusCode, reply.json().error]).toEqual([
      400,
      expect.stringContaining("This call takes one file"),
    ]);
  });

  test("leaves its room in the queue when the row store fails after the body", async () => {
    const ada = await server.signUp();
    const rename = (from: string, to: string) => server.rows.schema.alterTable(from).renameTo(to).execute();
    const queueBytes = () =>
      Number(/^flamekeep_ingest_queue_bytes (\d+)$/m.exec(server.ctx.metrics.toText())?.[1]);
    const address = await server.app.listen({ port: 0, host: "127.0.0.1" });
    const call = request(`${address}${sessionUrl}?service=checkout`, {
      method: "POST",
      headers: { ...ada.headers, host: "localhost:80", "content-length": cpu.length },
    });
    const replied = once(call, "response");
    call.write(cpu.subarray(0, 1));
    await expect.poll(queueBytes).toBeGreaterThan(0);
    await rename("organizationLimits", "awayLimits");
    call.end(cpu.subarray(1));
    const [reply] = await replied.finally(() => rename("awayLimits", "organizationLimits"));
    expect(reply.statusCode).toBe(500);
    reply.resume();
    await expect.poll(queueBytes).toBe(0);
    expect((await open(ada.headers, cpu)).statusCode).toBe(200);
  });

  test("has the limits of its organization", async () => {
    const ada = await server.signUp();
    await server.rows
      .insertInto("organizationLimits")
      .values({ orgId: ada.orgId, name: "stored_bytes", value: 10 })
      .execute();
    const reply = await open(ada.headers, cpu);
    expect([reply.statusCode, reply.json().code]).toEqual([403, "quota_exceeded"]);
  });

  test("from a time that is not kept is listed now, and the reply says so", async () => {
    const ada = await server.signUp();
    const reply = await open(ada.headers, cpuAt("2024-02-03T04:05:06.000Z"));
    expect(reply.json()).toMatchObject({
      started_at: at,
      notice:
        "The file is from 2024-02-03T04:05:06.000Z, a time that is not kept. It is listed at the time of its upload.",
    });
    const { headers } = await server.makeKey(ada);
    const sent = await server.trySend(cpuAt("2024-02-03T04:05:06.000Z"), { headers });
    expect([sent.statusCode, sent.json().error]).toEqual([
      422,
      expect.stringContaining("only 30 days are kept"),
    ]);
  });

  test("may be opened again, and is stored once", async () => {
    const ada = await server.signUp();
    const first = (await open(ada.headers, cpu)).json();
    expect((await open(ada.headers, cpu)).json()).toMatchObject({
      profile_id: first.profile_id,
      duplicate: true,
    });
  });
});
