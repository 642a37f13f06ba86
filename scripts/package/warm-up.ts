import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { compiledFolder } from "./start-command.ts";

const ready = "Flamekeep serves ";

/**
 * Starts the server of a folder once and stops it. Node keeps the modules that it compiled, which saves a third of the CPU time of
 * each later start by the same user at the same path: Node separates these files by user. Afterwards the files belong to this process's user,
 * so that the server cannot change them.
 */
export async function warmUp(folder: string, uid: number): Promise<void> {
  const compiled = join(folder, compiledFolder);
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-warm-up-"));
  mkdirSync(compiled, { recursive: true });
  const owner = process.getuid?.() ?? uid;
  for (const path of [compiled, dataDir]) chownSync(path, uid, uid);
  try {
    await startAndStop(join(folder, "bin/flamekeep"), dataDir, owner === uid ? {} : { uid, gid: uid });
    for (const entry of globSync("**/*", { cwd: compiled, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      chownSync(path, owner, owner);
      chmodSync(path, entry.isDirectory() ? 0o755 : 0o644);
    }
    chownSync(compiled, owner, owner);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function startAndStop(command: string, dataDir: string, user: { uid?: number; gid?: number }) {
  const settings = { PORT: "0", GRPC_PORT: "off", DEMO: "off", STOP_DELAY_SECONDS: "0", DATA_DIR: dataDir };
  const server = spawn(command, {
    ...user,
    cwd: dataDir,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      const wasReady = output.includes(ready);
      output += text;
      if (!wasReady && output.includes(ready)) server.kill("SIGTERM");
    });
  }
  const [code] = await once(server, "close");
  if (code !== 0 || !output.includes(ready)) throw new Error(`${command} did not start and stop:\n${output}`);
}
