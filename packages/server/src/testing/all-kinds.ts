import { profileOf } from "@flamekeep/profile/testing";
import { expect } from "vitest";
import { labelled } from "#testing/labelled-profile.ts";
import type { Person, TestApp } from "#testing/start-app.ts";

const startMs = Date.now() - 90 * 60_000;

/** Profiles of all kinds: with tags, with labels of samples, in several measures, as text, and counters since the process began. */
export async function sendAllKinds({ app, makeKey, send }: TestApp, person: Person): Promise<void> {
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
export async function pictureOf(
  { app, ctx }: TestApp,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
) {
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
