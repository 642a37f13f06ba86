import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { Committer } from "./committer.ts";
import { IngestCounters } from "./counters.ts";
import { SentDefinitions } from "./definitions.ts";
import { encodeProfile } from "./encode-profile.ts";
import { pprofOf } from "./testing/pprof-of.ts";
import { storedCounts } from "./testing/stored.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

test("a batch whose token the engine knows but whose rows it lost is stored when it is sent again", async () => {
  const { orgId } = await server.signUp();
  const { columns: store, payloads, log, metrics } = server.ctx;
  const removals = { era: async () => "0" };
  const committer = () =>
    new Committer({ store, payloads, log, counters: new IngestCounters(metrics, () => 0), removals });
  const body = gzipSync(
    pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [["main", 1, 10]],
      durationNs: 1n,
    }),
  );
  const startedAtMs = server.ctx.now().getTime();
  const scope = { orgId, nowMs: startedAtMs, retentionDays: 30, inflatedBytesMax: 1e6, samplesMax: 1e4 };
  const commit = (to: Committer) => {
    const upload = {
      service: "s",
      type: "cpu",
      nameHint: undefined,
      startedAtMs,
      durationNs: 0n,
      tags: [],
    } as const;
    const more = { facts: new Map(), isDelta: false, sender: "api", body: Uint8Array.from(body) } as const;
    const encoded = encodeProfile({ ...upload, ...more }, scope, new SentDefinitions());
    if (!encoded.ok) throw new Error(encoded.refusal.message);
    const { profileId, lines, payload } = encoded.value;
    return to.commit({ orgId, profileId, lines, payload, epoch: 0 });
  };

  expect(await commit(committer())).toBe("stored");
  expect(await commit(committer())).toBe("duplicate");
  // The rows go, the tokens stay known: what a kill between the two leaves behind.
  await store.removeService({ orgId, service: "s" });
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 0 });
  expect(await commit(committer())).toBe("stored");
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
  expect(await commit(committer())).toBe("duplicate");
});
