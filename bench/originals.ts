import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { minuteMs } from "@flamekeep/contract/durations";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { defaultLimits, readProfile, writeProfile } from "@flamekeep/profile";
import { startServer } from "./crash/server-process.ts";
import { Random } from "./random.ts";
import { atMost, type BenchResult } from "./result.ts";
import { storedIn } from "./stored.ts";

const recorded = fileURLToPath(new URL("../examples/shop/recorded/", import.meta.url));
/** The job begins two minutes after a start. */
const droppedMsMax = 5 * minuteMs;
/** The log keeps fewer bytes of a profile whose payload was dropped. */
const recordBytesMax = 200;
/**
 * Each window is sent as of so many hours: real services send thousands of profiles a day, which share their stacks. After the first, some
 * samples are missing and the others have other values, so that no profile is like another.
 */
const hours = 4;
const missingShare = 0.3;
const valueFactorMax = 4;
const hourMs = 60 * minuteMs;

interface Recording {
  readonly service: string;
  readonly files: readonly {
    readonly path: string;
    readonly type: string;
    readonly started_seconds: number;
    readonly delta: boolean;
  }[];
}

/** Bytes on disk without the originals over the bytes that were sent: the recorded shop, four services with all types of profiles, for some hours. */
export async function benchOriginals(): Promise<BenchResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-originals-"));
  try {
    const sent = await withServer(dataDir, async (url) => sendAll(await signUp(url)));
    const before = storedIn(dataDir);
    await withServer(dataDir, () => dropped(dataDir, sent.profiles));
    const after = storedIn(dataDir);
    if (after.profiles !== sent.profiles) throw new Error(`${after.profiles} of ${sent.profiles} are stored`);
    return {
      name: "originals",
      input: `${sent.profiles} profiles of the recorded shop, each window as of ${hours} hours, ${sent.bytes} bytes as sent`,
      measurements: [
        {
          what: "bytes on disk over those sent, with originals",
          value: before.bytes / sent.bytes,
          unit: "times",
        },
        {
          what: "bytes on disk over those sent, without originals",
          value: after.bytes / sent.bytes,
          unit: "times",
          bar: atMost(0.25, true),
        },
        {
          what: "the same without stacks and frames, which the profiles of a day share",
          value: (after.bytes - after.definitionBytes) / sent.bytes,
          unit: "times",
        },
        { what: "the log alone, over those sent", value: logBytes(dataDir) / sent.bytes, unit: "times" },
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function sendAll(account: Account): Promise<{ profiles: number; bytes: number }> {
  const { recordings } = JSON.parse(readFileSync(join(recorded, "manifest.json"), "utf8")) as {
    readonly recordings: readonly Recording[];
  };
  let profiles = 0;
  let bytes = 0;
  const toSend = Array.from({ length: hours }, (_, hour) =>
    recordings.map((recording, index) => ({
      ...recording,
      hour,
      beganMs: Date.now() - (hour + 1) * hourMs + index * minuteMs,
    })),
  ).flat();
  const random = new Random(1);
  for (const { service, files, hour, beganMs } of toSend) {
    for (const { path, type, started_seconds: seconds, delta } of files) {
      if (type === "metrics") continue;
      const startedAt = new Date(beganMs + 1000 * seconds).toISOString();
      const query = new URLSearchParams({
        service,
        type,
        started_at: startedAt,
        ...(delta && { delta: "true" }),
      });
      const asRecorded = readFileSync(join(recorded, path));
      const body = hour === 0 ? asRecorded : another(asRecorded, random);
      await account.send(body, query.toString());
      profiles++;
      bytes += body.length;
    }
  }
  return { profiles, bytes };
}

function another(gzipped: Uint8Array, random: Random): Buffer {
  const read = readProfile(gunzipSync(gzipped), defaultLimits);
  if (!read.ok) throw new Error("a recorded profile cannot be read");
  const { samples, labels } = read.profile;
  const kept = Array.from({ length: samples.length }, (_, row) => row).filter(
    () => !random.isTrue(missingShare),
  );
  const factors = kept.map(() => Math.floor(random.between(1, valueFactorMax)));
  const [locationStart, locations] = listsOf(samples.locationStart, kept);
  const [labelStart, ofLabels] = listsOf(samples.labelStart, kept);
  const pick = (column: Uint32Array) => Uint32Array.from(ofLabels, (index) => column[index]!);
  const written = writeProfile({
    ...read.profile,
    samples: {
      length: kept.length,
      locationStart,
      location: Uint32Array.from(locations, (index) => samples.location[index]!),
      labelStart,
      values: samples.values.map((column) =>
        Float64Array.from(kept, (row, index) => Number(column[row]!) * factors[index]!),
      ),
    },
    labels: {
      length: ofLabels.length,
      key: pick(labels.key),
      text: pick(labels.text),
      number: BigInt64Array.from(ofLabels, (index) => labels.number[index]!),
      unit: pick(labels.unit),
    },
  });
  return gzipSync(written);
}

/** Some rows of a column of lists: offsets, and the entries' indexes. */
function listsOf(start: Uint32Array, rows: readonly number[]): readonly [Uint32Array, readonly number[]] {
  const entries = rows.map((row) =>
    Array.from({ length: start[row + 1]! - start[row]! }, (_, at) => start[row]! + at),
  );
  const starts = new Uint32Array(rows.length + 1);
  for (const [row, { length }] of entries.entries()) starts[row + 1] = starts[row]! + length;
  return [starts, entries.flat()];
}

/** Waits until the server has dropped the bytes of all uploads. */
async function dropped(dataDir: string, profiles: number): Promise<void> {
  const endAt = performance.now() + droppedMsMax;
  while (logBytes(dataDir) > recordBytesMax * profiles) {
    if (performance.now() > endAt) throw new Error("the bytes of uploads were not dropped");
    await sleep(1000);
  }
}

function logBytes(dataDir: string): number {
  const files = globSync(join(dataDir, "uploads/**/*"), { withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

async function withServer<T>(dataDir: string, use: (url: string) => Promise<T>): Promise<T> {
  const server = startServer(dataDir, { KEEP_ORIGINALS: "off" });
  try {
    return await use(await server.url);
  } finally {
    server.stop();
    await server.ended();
  }
}
