import { afterEach, expect, it } from "vitest";
import { withRebuiltPayloads } from "#stacks/rebuilt/rebuilt-payloads.ts";
import { openPayloadLog } from "#store/payloads/payload-log.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import { referenceTo, withSharedPayloads } from "#store/payloads/read-payload.ts";
import { bytesOf, idOf, org } from "#store/payloads/testing/dropping-log.ts";
import { quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { OriginalWriter, readOriginal } from "./originals.ts";

const folders: ReturnType<typeof temporaryFolder>[] = [];
const stores: PayloadStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store[Symbol.asyncDispose]();
  for (const folder of folders.splice(0)) folder.remove();
});

/** As a server has it. Bytes that are gone are not rebuilt here. */
function opened(): PayloadStore {
  const folder = temporaryFolder();
  folders.push(folder);
  const noStores = {} as Parameters<typeof withRebuiltPayloads>[1];
  const store = withRebuiltPayloads(withSharedPayloads(openPayloadLog(folder.path, quietLog)), noStores);
  stores.push(store);
  return store;
}

it("original bytes are copied with what the sender said, equal bytes once, and profiles without bytes stay without", async () => {
  const [from, to] = [opened(), opened()];
  const of = (index: number) => ({ orgId: org, profileId: idOf(index), type: "memory" as const });
  await from.put([
    { ...of(1), bytes: bytesOf(1), repeat: { service: "api" } },
    { ...of(2), bytes: referenceTo(idOf(1)) },
    { ...of(3), bytes: new Uint8Array(), isDropped: true },
  ]);
  const writer = new OriginalWriter(to, org);
  const contents: (string | undefined)[] = [];
  for (const index of [1, 2, 3, 4]) {
    const original = await readOriginal(from, org, of(index));
    contents.push(original.content?.sha256);
    await writer.write(original);
  }
  await writer.flush();

  expect(contents).toEqual([expect.any(String), contents[0], undefined, undefined]);
  expect(await to.readAgain(of(1))).toEqual({ repeat: { service: "api" }, bytes: bytesOf(1) });
  expect((await to.read(org, idOf(2)))?.bytes).toEqual(bytesOf(1));
  expect(await to.readSent?.(org, idOf(3))).toBeUndefined();
  const { existing } = await to.put([
    { ...of(3), bytes: bytesOf(3) },
    { ...of(5), bytes: bytesOf(5) },
  ]);
  expect(existing.map(({ profileId }) => profileId)).toEqual([idOf(3)]);
});
