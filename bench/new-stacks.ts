import { gzipSync } from "node:zlib";
import { signUp } from "@flamekeep/e2e/sign-up";
import { largeProfile } from "@flamekeep/server/testing/hostile-bodies";
import { startUnderLoad } from "./load/conditions.ts";
import { atMost, type Measurement, quantile } from "./result.ts";

const stacks = 140_000;
const depth = 25;
const rounds = 3;
const ratioMax = 3;

/** How much longer a large profile takes if none of its stacks is known. The stacks are new to each organization. */
export async function newStacks(): Promise<Measurement> {
  await using server = await startUnderLoad();
  const body = gzipSync(largeProfile(stacks, depth));
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { key } = await signUp(server.url);
    const upload = async (service: string, bytes: Uint8Array<ArrayBuffer>) => {
      const from = performance.now();
      const url = `${server.url}/api/v1/ingest/profiles?service=${service}`;
      const reply = await fetch(url, { method: "POST", headers: { "x-api-key": key }, body: bytes });
      if (!reply.ok) throw new Error(`status ${reply.status}: ${await reply.text()}`);
      await reply.arrayBuffer();
      return performance.now() - from;
    };
    await upload("small", gzipSync(largeProfile(100, depth)));
    const asNew = await upload("first", body);
    const asKnown: number[] = [];
    for (const service of ["second", "third", "fourth"]) asKnown.push(await upload(service, body));
    ratios.push(asNew / quantile(asKnown, 0.5));
  }
  const what = `profile of ${stacks} new stacks over one of known stacks`;
  return { what, value: quantile(ratios, 0.5), unit: "x", bar: atMost(ratioMax) };
}
