import { expect } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

/** Uploads without a pause until `stop`, which returns the ids of all acknowledged profiles. */
export async function uploading(server: TestApp, first: number) {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const acknowledged: string[] = [];
  let next = 0;
  let isStopped = false;
  const sendOne = async () => {
    const value = next++;
    const payload = pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [[`main;handle${value}`, 1, value]],
      timeNs: BigInt(Date.now()) * 1_000_000n,
      durationNs: 1n,
    });
    acknowledged.push((await server.send(payload, { headers })).profile_id);
  };
  while (next < first) await Promise.all([sendOne(), sendOne(), sendOne()]);
  const before = [...acknowledged];
  const keepSending = async () => {
    while (!isStopped) await sendOne();
  };
  const senders = [keepSending(), keepSending(), keepSending()];
  return {
    ...person,
    before,
    stop: async () => {
      isStopped = true;
      await Promise.all(senders);
      return acknowledged.length - before.length;
    },
  };
}

/** A server with the data of a copy, which must be undamaged. */
export async function opened(dataDir: string): Promise<TestApp> {
  const copy = await startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });
  expect(copy.ctx.columns.health().lostParts).toEqual([]);
  expect(await copy.ctx.columns.quarantined()).toEqual([]);
  return copy;
}

/** Also in the first moments of a start: reads wait for the recovery. */
export async function expectEqualCounts(copy: TestApp, orgId: string): Promise<void> {
  const { profiles, payloads, rolledUp } = await storedCounts(copy.ctx, orgId);
  expect(profiles).toBeGreaterThanOrEqual(30);
  expect({ payloads, rolledUp }).toEqual({ payloads: profiles, rolledUp: profiles });
}
