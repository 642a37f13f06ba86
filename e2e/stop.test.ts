import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
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

describe("npm start", () => {
  /** Resolves when the last process that could print has ended. */
  async function startWithNpm() {
    return startFlamekeep({ env: { DEMO: "off" }, command: ["npm", "start"] });
  }

  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "ends in order when npm alone gets %s",
    async (signal) => {
      await using flamekeep = await startWithNpm();
      await flamekeep.stop(signal);
      expect(flamekeep.output()).toContain("Stopping: finishing what was accepted.");
      await expect(fetch(`${flamekeep.url}/healthz`)).rejects.toThrow();
    },
  );

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "ends in order when the server alone gets %s",
    async (signal) => {
      await using flamekeep = await startWithNpm();
      const [server] = childrenOf(flamekeep.pid);
      process.kill(server!, signal);
      // npm ends after it: there is no shell between them that would stay.
      await flamekeep.ended;
      expect(flamekeep.output()).toContain("Stopping: finishing what was accepted.");
    },
  );
});

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}

test.skipIf(process.getuid?.() !== 0).each(["SIGTERM", "SIGINT"] as const)(
  "npm start as the first process of a container ends in order by %s",
  async (signal) => {
    const command = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "npm", "start"] as const;
    await using flamekeep = await startFlamekeep({ env: { DEMO: "off" }, command });
    const [first] = childrenOf(flamekeep.pid);
    process.kill(first!, signal);
    await flamekeep.ended;
    expect(flamekeep.output()).toContain("Stopping: finishing what was accepted.");
  },
);

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
