// A process that a test kills: it puts payloads, stores their "rows", stops and starts its log, and drops what it may drop, until it ends.
import { writeSync } from "node:fs";
import { openPayloadLog } from "#store/payloads/payload-log.ts";
import { quietLog } from "#store/testing/backends.ts";

export const org = "00000000-0000-4000-8000-0000000000a1";
export const day = "2026-11-20";
const daySeconds = Date.parse(`${day}T12:00:00Z`) / 1000;

/** A profile's id ends with the second in which the profile began. */
export function idOf(index: number): string {
  return index.toString(16).padStart(24, "0") + daySeconds.toString(16).padStart(8, "0");
}

export function bytesOf(index: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(500 + (index % 50)).fill(index % 251);
}

const [, main = "", dataDir, first = "0"] = process.argv;
if (import.meta.filename === main && dataDir !== undefined) await run(dataDir, Number(first));

async function run(folder: string, from: number): Promise<void> {
  const say = (what: string, index: number) => writeSync(1, `${what} ${index}\n`);
  for (let index = from; ; ) {
    const log = openPayloadLog(folder, quietLog);
    // Rows of uploads that an earlier process left are stored first, as at a start.
    for await (const { profileId } of log.leftBehind())
      say("stored", Number.parseInt(profileId.slice(0, 24), 16));
    await log.endRecovery();
    for (let put = 1; put <= 5; put++, index++) {
      const [orgId, profileId] = [org, idOf(index)];
      const { number } = await log.put([
        { orgId, profileId, type: "cpu", bytes: bytesOf(index), repeat: {} },
      ]);
      say("put", index);
      if (put === 5) break;
      say("stored", index);
      await log.confirm(number);
    }
    await log.dropContent("2149-01-01");
    await log[Symbol.asyncDispose]();
  }
}
