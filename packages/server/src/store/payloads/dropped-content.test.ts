import { spawn } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { openPayloadLog } from "./payload-log.ts";
import type { Payload, PayloadStore } from "./payload-store.ts";
import { bytesOf, day, idOf, org } from "./testing/dropping-log.ts";

const allDays = "2149-01-01";
const otherOrg = "00000000-0000-4000-8000-0000000000b2";
const payload = (index: number, orgId = org): Payload => ({
  orgId,
  profileId: idOf(index),
  type: "cpu",
  bytes: bytesOf(index),
  repeat: { index },
});

/** As a server that is stopped once the rows of all uploads are stored, and started again. */
async function reopened(store: PayloadStore, dataDir: string, put: number): Promise<PayloadStore> {
  await store.endRecovery();
  await store.confirm(put);
  await store[Symbol.asyncDispose]();
  return openPayloadLog(dataDir, quietLog);
}

const logBytes = (dataDir: string) =>
  globSync(join(dataDir, "uploads/**/*.log")).reduce((sum, path) => sum + statSync(path).size, 0);

describe("bytes that are dropped", () => {
  it("are gone, also after a restart, and their profiles still count as stored, for their organization", async () => {
    const folder = temporaryFolder();
    const first = openPayloadLog(folder.path, quietLog);
    const { number } = await first.put([payload(1), payload(2), payload(3)]);
    let store = await reopened(first, folder.path, number);
    await store.dropContent(day);
    expect((await store.read(org, idOf(1)))?.bytes).toEqual(bytesOf(1));
    await store.dropContent(allDays);
    expect(logBytes(folder.path)).toBeLessThan(400);
    for (let start = 1; start <= 2; start++) {
      expect(await store.read(org, idOf(2))).toMatchObject({ isDropped: true });
      expect(await store.read(otherOrg, idOf(2))).toBeUndefined();
      const again = await store.put([payload(2), payload(4 + start)]);
      expect(again.existing.map(({ profileId }) => profileId)).toEqual([idOf(2)]);
      store = await reopened(store, folder.path, again.number);
    }
    // Removal finds them, as it finds others.
    await store.remove(org, [idOf(2)]);
    expect(await store.read(org, idOf(2))).toBeUndefined();
    expect(await store.read(org, idOf(3))).toMatchObject({ isDropped: true });
    await store[Symbol.asyncDispose]();
    folder.remove();
  });

  it("stay while the rows of an upload in their file may be missing, and in a damaged file", async () => {
    const folder = temporaryFolder();
    const first = openPayloadLog(folder.path, quietLog);
    await first.put([payload(1)]);
    await first.dropContent(allDays);
    await first.dropContent(allDays);
    // Not confirmed.
    await first[Symbol.asyncDispose]();
    const store = openPayloadLog(folder.path, quietLog);
    await store.dropContent(allDays);
    expect((await store.read(org, idOf(1)))?.bytes).toEqual(bytesOf(1));
    const left: string[] = [];
    for await (const { profileId } of store.leftBehind()) left.push(profileId);
    expect(left).toEqual([idOf(1)]);
    await store[Symbol.asyncDispose]();
    folder.remove();
  });

  it("are lost by no kill before their rows are stored", async () => {
    const folder = temporaryFolder();
    const acknowledged = new Set<number>();
    const confirmed = new Set<number>();
    for (let round = 0; round < 4; round++) {
      for (const line of await linesUntilKilled(folder.path, 1000 * round, 40 + 37 * round)) {
        const [what, index] = line.split(" ");
        (what === "put" ? acknowledged : confirmed).add(Number(index));
      }
    }
    expect(confirmed.size).toBeGreaterThan(20);
    const store = openPayloadLog(folder.path, quietLog);
    let dropped = 0;
    for (const index of acknowledged) {
      const read = await store.read(org, idOf(index));
      if (read?.isDropped) {
        dropped++;
        expect(confirmed.has(index), `${index} was dropped before its rows were stored`).toBe(true);
      } else expect(read?.bytes, String(index)).toEqual(bytesOf(index));
    }
    expect(dropped).toBeGreaterThan(0);
    await store[Symbol.asyncDispose]();
    folder.remove();
  }, 120_000);
});

/** Kills the process after so many lines; those that it wrote until then are returned too. */
async function linesUntilKilled(dataDir: string, first: number, count: number): Promise<string[]> {
  const file = fileURLToPath(new URL("./testing/dropping-log.ts", import.meta.url));
  const child = spawn(process.execPath, [file, dataDir, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) === count) child.kill("SIGKILL");
  }
  return lines;
}
