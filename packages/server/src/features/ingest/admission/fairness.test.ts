import { afterAll, beforeAll, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const floodUploads = 60;
/** Uploads that the threads were busy with, and the flood's share of the turns that the quiet organization waits for. */
const aheadMax = 8;

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

/** Sends uploads of one organization, each with another content; notes their order as they are answered. */
async function sender(name: string, answered: string[]) {
  const { headers } = await server.makeKey(await server.signUp());
  const send = async (value: number) => {
    const samples: [string, number][] = [["main", value]];
    const profile = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples, durationNs: 1n });
    await server.send(profile, { headers, query: { service: name } });
    answered.push(name);
  };
  // The key is looked up once, before the order counts.
  await send(1);
  return send;
}

test("a quiet organization's upload is answered before the backlog of another", async () => {
  const answered: string[] = [];
  const flood = await sender("flood", answered);
  const quiet = await sender("quiet", answered);
  answered.length = 0;
  const backlog = Array.from({ length: floodUploads }, (_, value) => flood(value + 2));
  await Promise.all([...backlog, quiet(2)]);
  expect(answered.length).toBe(floodUploads + 1);
  expect(answered.indexOf("quiet")).toBeLessThanOrEqual(aheadMax);
});
