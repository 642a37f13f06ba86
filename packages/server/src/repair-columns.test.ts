import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { profileOf } from "@flamekeep/profile/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setAside } from "#store/column/restore/restore-quarantined.ts";
import { uploadsFolder } from "#store/payloads/payload-log.ts";
import { forgetIndexes } from "#store/payloads/segment-file.ts";
import { quietLog } from "#store/testing/backends.ts";
import { labelled } from "#testing/labelled-profile.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const program = fileURLToPath(new URL("repair-columns.ts", import.meta.url));
const startMs = Date.now() - 90 * 60_000;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-repair-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });

const rebuild = () =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const env = { ...process.env, DATA_DIR: dataDir, DEMO: "off", LOG_LEVEL: "silent" };
    const child = spawn(process.execPath, [program, "rebuild-columns"], { env });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text: Buffer) => {
        out += text.toString();
      });
    }
    child.on("close", (code) => resolve({ code, out }));
  });

/** Profiles of all kinds: with tags, with labels of samples, in several measures, as text, and counters since the process began. */
async function sendAll({ app, makeKey, send }: TestApp, person: Person): Promise<void> {
  const { headers } = await makeKey(person);
  const at = (minute: number) => ({ started_at: String(startMs + minute * 60_000) });
  for (let minute = 0; minute < 30; minute++) {
    const query = { service: "api", type: "cpu", "tag.version": `v${minute % 3}`, ...at(minute) };
    const profile = profileOf(`main\nserve${minute % 5}\n1,${(minute + 1) * 1e6}`, {
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      durationNs: 10_000_000_000n,
    });
    await send(profile, { headers, query });
  }
  await send(labelled([{ user: "ada" }, { user: "bob" }, {}]), {
    headers,
    query: { service: "labels", ...at(1) },
  });
  await send(Buffer.from("main;read 12\nmain;write 30\n"), { headers, query: { service: "text", ...at(2) } });
  for (const [minute, count] of [10, 25, 31, 4, 9].entries()) {
    const profile = profileOf(`main\nlock\n${count},${100 * count}`, {
      sampleTypes: ["contentions/count", "delay/nanoseconds"],
    });
    await send(profile, { headers, query: { service: "counters", type: "mutex", ...at(minute) } });
  }
  const sampleTypes = [
    "alloc_objects/count",
    "alloc_space/bytes",
    "inuse_objects/count",
    "inuse_space/bytes",
  ];
  for (const [minute, count] of [1, 5, 6].entries()) {
    const values = [count, 64 * count, 7, 448].join();
    const profile = profileOf(`main\nmake\n${values}`, { sampleTypes });
    await send(profile, { headers, query: { service: "counters", type: "memory", ...at(minute) } });
  }
  const requests = Array.from({ length: 40 }, (_, index) => ({
    timestamp: new Date(startMs + index * 1000).toISOString(),
    duration: 0.01 * (index + 1),
    status_code: index % 10 === 0 ? 500 : 200,
    method: "GET",
    path: `/items/${index % 3}`,
  }));
  const url = "/api/v1/ingest/http-metrics?service=api";
  const reply = await app.inject({ method: "POST", url, headers, payload: requests });
  expect(reply.statusCode).toBe(200);
}

/** The answers that lists, timelines, graphs and tables of endpoints show. */
async function pictureOf({ app, ctx }: TestApp, { headers }: Person) {
  const range = `from=${startMs - 60_000}&to=${startMs + 60 * 60_000}`;
  const get = async (path: string) => {
    const reply = await app.inject({ method: "GET", url: `/api/v1/protected/${path}`, headers });
    expect([path, reply.statusCode, reply.body]).toEqual([path, 200, reply.body]);
    const { generated_at: _, ...body } = reply.json();
    return body;
  };
  const services = ["api", "labels", "text", "counters"];
  const paths = [
    "services?since=24h",
    "profiles?since=24h&limit=100",
    "http-metrics/paths",
    "http-metrics/service/api/paths?path=/items/1",
    ...services.flatMap((service) => [
      `timeline/service/${service}/all?${range}&bucket=1m`,
      ...["cpu", "mutex", "memory"].map((type) => `flamegraph/service/${service}/${type}?${range}`),
    ]),
  ];
  await ctx.columns.awaitedRows.settled(undefined);
  return Promise.all(paths.map(get));
}

it("rebuild-columns makes rows again that give the same figures, and copies those that the uploads do not have, after an interrupted one too", async () => {
  const before = await open();
  const person = await before.signUp();
  await sendAll(before, person);
  const expected = await pictureOf(before, person);
  expect(await rebuild()).toMatchObject({ code: 1, out: expect.stringContaining("in use") });
  expect(readdirSync(dataDir).filter((name) => name.startsWith("quarantine"))).toEqual([]);
  await before.close();
  // As a rebuild that was killed early leaves it.
  await setAside(dataDir, quietLog);

  const { code, out } = await rebuild();
  expect([code, out]).toEqual([0, expect.stringContaining("Making the rows of all uploads again")]);
  expect(out).toContain(
    "quarantine-1 is restored: 1 profiles were copied between the stores, 40 were in both.",
  );
  expect(readdirSync(dataDir)).toContain("merged-quarantine-1-1");

  const after = await open();
  expect(await pictureOf(after, person)).toEqual(expected);
  await after.close();
});

it("a rebuild finds no uploads where their folder is missing", async () => {
  await expect(forgetIndexes(join(dataDir, uploadsFolder))).resolves.toBeUndefined();
});
