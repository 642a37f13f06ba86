import { isFullLength } from "@flamekeep/profile/testing/full-length";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { labelled } from "#testing/labelled-profile.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:30:30.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

const Sample = fc.record(
  {
    handler: fc.constantFrom("/cart", "/checkout", "/a:b'\\", "/c"),
    tenant: fc.constantFrom("acme", "globex"),
  },
  { requiredKeys: [] },
);
const Upload = fc.record({
  minute: fc.integer({ min: 20, max: 239 }),
  samples: fc.tuple(Sample, Sample, Sample),
  region: fc.constantFrom("eu", "us"),
});
const Uploads = fc.array(Upload, { minLength: 3, maxLength: 6 });
type Upload = typeof Upload extends fc.Arbitrary<infer U> ? U : never;

async function send(service: string, { minute, samples, region }: Upload, index: number): Promise<void> {
  const startedAt = Date.parse("2026-11-20T08:00:00Z") + minute * 60_000 + index;
  await server.send(labelled(samples), {
    headers: keyHeaders,
    query: { service, type: "cpu", started_at: new Date(startedAt).toISOString(), "tag.region": region },
  });
}

/** Replies of calls about labels, without what differs between two replies with the same content. */
async function replies(service: string, range: string): Promise<unknown[]> {
  const of = `service/${service}/cpu`;
  const filters = ["", "&labels=handler:/checkout", "&labels=handler:&labels=tenant:acme"];
  const paths = filters.flatMap((filter) => [
    `flamegraph/${of}?${range}${filter}`,
    `flamegraph/${of}?${range}${filter}&group_by_label=handler`,
    `labels/${of}?${range}${filter}`,
    `series/${of}?${range}${filter}&bucket=15m&group_by_label=handler`,
  ]);
  return Promise.all(
    paths.map(async (path) => {
      const reply = await server.app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers });
      return [path.replace(service, ""), reply.statusCode, withoutService(reply.json(), service)];
    }),
  );
}

function withoutService(reply: object, service: string): unknown {
  const { profile_hash: _, ...content } = reply as Record<string, unknown>;
  return JSON.parse(JSON.stringify(content).replaceAll(service, "SERVICE"));
}

const rolledHours = maintenanceQuery({
  name: "test.rolled-label-hours",
  sql: "SELECT service, count() AS hours FROM rolled_label_hours FINAL WHERE has_rows GROUP BY service",
  params: z.object({}),
  row: z.object({ service: z.string(), hours: Count }),
});

test("hours that are rolled up have the same answers as their profiles, and so do late profiles", async () => {
  const { maintenance } = server.ctx.columns;
  const ranges = [
    "from=2026-11-20T08:00:00Z&to=2026-11-20T12:00:00Z",
    "from=2026-11-20T08:20:00Z&to=2026-11-20T12:10:00Z",
  ];
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(Uploads, Upload, fc.constantFrom(...ranges), async (uploads, late, range) => {
      const service = `run-${++runs}`;
      await send(service, { ...uploads[0]!, samples: [{ handler: "/cart" }, {}, {}], minute: 30 }, 1000);
      await Promise.all(uploads.map((upload, index) => send(service, upload, index)));
      const before = await replies(service, range);
      await maintenance.rollUp(server.ctx.now());
      const rolled = await maintenance.query(rolledHours, {});
      expect(rolled.find((row) => row.service === service)?.hours).toBeGreaterThan(0);
      expect(await replies(service, range)).toEqual(before);

      await send(service, late, 2000);
      const withLate = await replies(service, range);
      expect(withLate).not.toEqual(before);
      const raw = `raw-${runs}`;
      await send(raw, { ...uploads[0]!, samples: [{ handler: "/cart" }, {}, {}], minute: 30 }, 1000);
      await Promise.all(uploads.map((upload, index) => send(raw, upload, index)));
      await send(raw, late, 2000);
      expect(await replies(raw, range)).toEqual(withLate);
      await maintenance.rollUp(server.ctx.now());
      expect(await replies(service, range)).toEqual(withLate);
    }),
    { numRuns: isFullLength ? 5 : 1, endOnFailure: true },
  );
});
