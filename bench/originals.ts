import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { minuteMs } from "@flamekeep/contract/durations";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { startServer } from "./crash/server-process.ts";
import { atMost, type BenchResult } from "./result.ts";
import { storedIn } from "./stored.ts";

const recorded = fileURLToPath(new URL("../examples/shop/recorded/", import.meta.url));
/** The job begins two minutes after a start. */
const droppedMsMax = 5 * minuteMs;
/** The log keeps fewer bytes of a profile whose payload was dropped. */
const recordBytesMax = 200;
/** All uploads are of the hour before. */
const beganMs = Date.now() - 60 * minuteMs;

interface Recording {
  readonly service: string;
  readonly files: readonly {
    readonly path: string;
    readonly type: string;
    readonly started_seconds: number;
    readonly delta: boolean;
  }[];
}

/** Bytes on disk without the originals over the bytes that were sent: the recorded shop, four services with all types of profiles. */
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
      input: `${sent.profiles} profiles of the recorded shop, ${sent.bytes} bytes as sent`,
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
        },
        {
          what: "the same without stacks and frames, which the profiles of a day share",
          value: (after.bytes - after.definitionBytes) / sent.bytes,
          unit: "times",
          bar: atMost(0.25, true),
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
  for (const [index, { service, files }] of recordings.entries()) {
    for (const { path, type, started_seconds: seconds, delta } of files) {
      if (type === "metrics") continue;
      const startedAt = new Date(beganMs + 1000 * seconds + index * minuteMs).toISOString();
      const query = new URLSearchParams({
        service,
        type,
        started_at: startedAt,
        ...(delta && { delta: "true" }),
      });
      const body = readFileSync(join(recorded, path));
      await account.send(body, query.toString());
      profiles++;
      bytes += body.length;
    }
  }
  return { profiles, bytes };
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
