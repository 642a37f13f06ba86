import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockDataFolder } from "./data-folder-lock.ts";
import { quietLog } from "./testing/backends.ts";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-lock-"));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const lock = (waitMs: number) => lockDataFolder(dataDir, quietLog, { waitMs });

/** A process that holds the lock until it is killed. */
async function startHolder() {
  const file = new URL("./data-folder-lock.ts", import.meta.url).href;
  const program = `import { lockDataFolder } from ${JSON.stringify(file)};
    const lock = await lockDataFolder(${JSON.stringify(dataDir)}, { warn() {} });
    console.log("locked");
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

test("a second process is refused with the name of the first, and a killed one leaves no lock", async () => {
  const holder = await startHolder();
  await expect(lock(0)).rejects.toThrow(
    new RegExp(
      `^The data folder ${dataDir} is in use by process ${holder.pid} on ${hostname()} since 20.*Stop it, or set DATA_DIR`,
    ),
  );
  const waiting = lock(60_000);
  holder.kill("SIGKILL");
  using _ = await waiting;
  await expect(lock(0)).rejects.toThrow(`is in use by process ${process.pid} on`);
});

test("a server that has stopped gives the folder to the next", async () => {
  for (let starts = 0; starts < 3; starts++) {
    using _ = await lock(0);
  }
});
