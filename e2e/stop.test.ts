import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { type Account, signUp } from "./harness/sign-up.ts";
import { startFlamekeep } from "./harness/start-flamekeep.ts";

test("Ctrl-C under load stops cleanly, and acknowledged profiles exist after the next start", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-stop-"));
  try {
    const first = await startFlamekeep({ dataDir, env: { DEMO: "off" } });
    const account = await signUp(first.url);
    const sending = keepSending(account);
    await sending.isUnderWay;
    expect(await first.stop("SIGINT")).toBe(0);
    const acknowledged = await sending.ended;
    expect(acknowledged.length).toBeGreaterThan(0);
    console.info(`${acknowledged.length} profiles acknowledged`);

    await using second = await startFlamekeep({ dataDir, env: { DEMO: "off" } });
    for (const id of acknowledged) {
      const reply = await fetch(`${second.url}/api/v1/protected/profile/${id}`, {
        headers: account.headers,
      });
      expect(reply.status, id).toBe(200);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Each start goes on with the data of the one before: making an empty store takes longer than the rest of a start. */
let usedDir: string;
beforeAll(() => {
  usedDir = mkdtempSync(join(tmpdir(), "flamekeep-stop-"));
});
afterAll(() => rmSync(usedDir, { recursive: true, force: true }));

/** A start takes four seconds of CPU: at full length all signals, otherwise those that launchers handle in different ways. */
function signals(all: readonly NodeJS.Signals[], some: readonly NodeJS.Signals[]): readonly NodeJS.Signals[] {
  return isFullLength ? all : some;
}

function startAgain(command: readonly [string, ...string[]]) {
  return startFlamekeep({ dataDir: usedDir, env: { DEMO: "off" }, command });
}

describe("npm start", () => {
  const startWithNpm = () => startAgain(["npm", "start"]);

  test.each(signals(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"], ["SIGINT", "SIGKILL"]))(
    "ends in order when npm alone gets %s",
    async (signal) => {
      await using flamekeep = await startWithNpm();
      await flamekeep.stop(signal);
      expect(flamekeep.output()).toContain("Stopping: finishing accepted work.");
      await expect(fetch(`${flamekeep.url}/healthz`)).rejects.toThrow();
    },
  );

  test.each(signals(["SIGTERM", "SIGINT", "SIGHUP"], ["SIGTERM"]))(
    "ends in order when the server alone gets %s",
    async (signal) => {
      await using flamekeep = await startWithNpm();
      process.kill(serverBelow(flamekeep.pid), signal);
      // npm ends after it: there is no shell between them that would stay.
      await flamekeep.ended;
      expect(flamekeep.output()).toContain("Stopping: finishing accepted work.");
    },
  );
});

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

/** Where the machine's Node is old, bootstrap waits between npm and the server. */
function serverBelow(pid: number): number {
  const below = [pid];
  for (const each of below) below.push(...childrenOf(each));
  const servers = below.filter((each) =>
    readFileSync(`/proc/${each}/cmdline`, "utf8").includes("packages/server/src/main.ts"),
  );
  expect(servers).toHaveLength(1);
  return servers[0]!;
}

describe.skipIf(process.getuid?.() !== 0)("as the first process of a container", () => {
  async function endsInOrder(start: readonly string[], signal: NodeJS.Signals) {
    const command = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", ...start] as const;
    await using flamekeep = await startAgain(command);
    const [first] = childrenOf(flamekeep.pid);
    process.kill(first!, signal);
    await flamekeep.ended;
    expect(flamekeep.output()).toContain("Stopping: finishing accepted work.");
  }

  // npm has no listener for SIGHUP, and the system gives the first process only signals that it listens for.
  test.each(signals(["SIGTERM", "SIGINT"], ["SIGTERM"]))("npm start ends in order by %s", (signal) =>
    endsInOrder(["npm", "start"], signal),
  );

  test.each(signals(["SIGTERM", "SIGINT", "SIGHUP"], ["SIGHUP"]))(
    "the command of an image ends in order by %s",
    (signal) => endsInOrder(["node", "scripts/bootstrap.mjs", "start"], signal),
  );
});

/** Sends profiles on four connections, each with a different time, until one is refused. */
function keepSending(account: Account) {
  const { body } = recordedCpuProfile();
  const acknowledged: string[] = [];
  const underWay = Promise.withResolvers<void>();
  let moment = Date.now() - 3_600_000;
  async function sender(): Promise<void> {
    for (;;) {
      const query = `service=stopped&type=cpu&started_at=${moment++}`;
      const id = await account.send(body, query).catch(() => undefined);
      if (id === undefined) return;
      acknowledged.push(id);
      if (acknowledged.length >= 20) underWay.resolve();
    }
  }
  const ended = Promise.all([sender(), sender(), sender(), sender()]).then(() => acknowledged);
  return { isUnderWay: underWay.promise, ended };
}
