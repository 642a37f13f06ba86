import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { sumStacks } from "@flamekeep/profile";
import { createApp, openContext, openLog, readConfig } from "@flamekeep/server";
import { LoopWatch } from "#loop-watch";
import { MemoryWatch } from "#memory";
import { cpuProfilesNear } from "#profiles";
import { atMost, type Measurement } from "#result";
import { texts } from "./texts.ts";

const settings = { DEMO: "off", LOG_LEVEL: "error", INGEST_MAX_BYTES: "32000000" };
/** Limits for a file of 100 MB. */
const raised = {
  ...settings,
  INGEST_MAX_BYTES: "128000000",
  INGEST_MAX_INFLATED_BYTES: "128000000",
  INGEST_MAX_SAMPLES: "5000000",
  INGEST_QUEUE_BYTES: "512000000",
};

/** A file that is sent several times to a server, and the most that it may cost. */
interface LargeUpload {
  readonly what: string;
  readonly body: () => Uint8Array<ArrayBuffer>;
  readonly env: Readonly<Record<string, string>>;
  readonly uploads: number;
  readonly memoryMax: number;
}

const recording: LargeUpload = {
  what: "JFR of 20 MB",
  body: largeRecording,
  env: settings,
  uploads: 5,
  memoryMax: 400,
};

/** A recording of 20 MB is many chunks one after the other, as a recording of an hour is. */
function largeRecording(): Uint8Array<ArrayBuffer> {
  const file = new URL("../../packages/profile/src/fixtures/jfr/jdk25.jfr.gz", import.meta.url);
  const chunks = gunzipSync(readFileSync(file));
  return repeated(new Uint8Array(0), chunks, new Uint8Array(0), 20_000_000);
}

/** Texts of 100 MB: their stacks come again, as in a recording of an hour. Functions of cProfile are in a file once. */
function largeTexts(): LargeUpload[] {
  const stacks = cpuProfilesNear(70_000, 1).map(({ profile }) => sumStacks(profile))[0]!;
  return [...texts]
    .filter(([name]) => name !== "cProfile")
    .map(([name, write]) => ({
      what: `${name} of 100 MB`,
      body: () => {
        const { head, stacks: part, tail } = write(stacks);
        return repeated(Buffer.from(head), Buffer.from(part), Buffer.from(tail), 100_000_000);
      },
      env: raised,
      uploads: 1,
      memoryMax: 500,
    }));
}

function repeated(
  head: Uint8Array,
  part: Uint8Array,
  tail: Uint8Array,
  sizeBytes: number,
): Uint8Array<ArrayBuffer> {
  const parts = new Array<Uint8Array>(Math.ceil(sizeBytes / part.length)).fill(part);
  return Uint8Array.from(Buffer.concat([head, ...parts, tail]));
}

/** How long a large file holds the event loop of the server, and how much memory it takes of all its processes. */
export async function largeUploads(): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  const only = process.env.LARGE_UPLOADS ?? "";
  for (const upload of [recording, ...largeTexts()].filter(({ what }) => what.includes(only))) {
    const body = upload.body();
    const [heldMs, memoryBytes] = [await longestHold(upload, body), await memoryOf(upload, body)];
    process.stderr.write(
      `  ${upload.what}: event loop held ${heldMs.toFixed(1)} ms, ${(memoryBytes / 1e6).toFixed(0)} MB\n`,
    );
    measured.push(
      { what: `${upload.what}, longest hold of the event loop`, value: heldMs, unit: "ms", bar: atMost(20) },
      {
        what: `${upload.what}, memory over an idle server`,
        value: memoryBytes / 1e6,
        unit: "MB",
        bar: atMost(upload.memoryMax),
      },
    );
  }
  return measured;
}

/** The server runs in this process, and what sends to it in another one. */
async function longestHold({ env, uploads }: LargeUpload, body: Uint8Array): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-bench-"));
  const config = readConfig({ ...env, DATA_DIR: dataDir });
  const watch = new LoopWatch();
  const file = join(dataDir, "large-upload");
  try {
    await using ctx = await openContext(config, await openLog(config, false));
    writeFileSync(file, body);
    const app = await createApp(ctx);
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    try {
      const { key } = await signUp(url);
      using sender = await Sender.start(key, file);
      await sender.send(url, 0);
      for (let upload = 1; upload <= uploads; upload++) await watch.during(() => sender.send(url, upload));
    } finally {
      await app.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return watch.longest.withACoreMs;
}

const senderScript = `
  import { readFileSync } from "node:fs";
  const [, key, file] = process.argv;
  const body = readFileSync(file);
  process.on("message", async (address) => {
    const reply = await fetch(address, { method: "POST", headers: { "x-api-key": key }, body });
    process.send({ status: reply.status, text: await reply.text() });
  });
  process.send("ready");
`;

/** A process that uploads a file to each address that it gets. It starts before the loop is watched: a start holds the event loop. */
class Sender {
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  static async start(key: string, file: string): Promise<Sender> {
    const args = ["--input-type=module", "-e", senderScript, key, file];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    await once(child, "message");
    return new Sender(child);
  }

  async send(url: string, minutesAgo: number): Promise<void> {
    const replied = once(this.#process, "message");
    const startedAt = Date.now() - minutesAgo * 60_000;
    this.#process.send(`${url}/api/v1/ingest/profiles?service=bench&started_at=${startedAt}`);
    const [{ status, text }] = (await replied) as [{ status: number; text: string }];
    if (status !== 200) throw new Error(text);
  }

  [Symbol.dispose](): void {
    this.#process.kill();
  }
}

/** The most that all processes of a server have, over what they have before its first upload. */
async function memoryOf({ env, uploads }: LargeUpload, body: Uint8Array<ArrayBuffer>): Promise<number> {
  await using server = await startFlamekeep({ env });
  const account = await signUp(server.url);
  await sleep(3000);
  const watch = new MemoryWatch(server.pid, 50);
  await sleep(200);
  const idleBytes = watch.peakBytes;
  for (let upload = 1; upload <= uploads; upload++) await send(account, body, upload);
  watch.end();
  return watch.peakBytes - idleBytes;
}

async function send(account: Account, body: Uint8Array, minutesAgo: number): Promise<void> {
  const query = `service=bench&started_at=${Date.now() - minutesAgo * 60_000}`;
  const profileId: string | undefined = await account.send(Buffer.from(body), query);
  // Memory of a rejected upload says nothing.
  if (profileId === undefined) throw new Error("The large upload was rejected.");
}
