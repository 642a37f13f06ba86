import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { connect, createServer as createNetServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listenOnUnixSocket } from "./unix-socket.ts";

let folder: string;
let path: string;
let http: Server;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flamekeep-socket-"));
  path = join(folder, "http.sock");
  http = createServer((asked, reply) =>
    reply.end(`${asked.method} ${asked.url} ${asked.socket.remoteAddress}`),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function get(url: string): Promise<string> {
  const asked = request({ socketPath: path, path: url, agent: false }).end();
  const [reply] = await once(asked, "response");
  let text = "";
  for await (const part of reply) text += part;
  return text;
}

it("serves what the port serves, as a local client, and removes its file at the end", async () => {
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  await listenOnUnixSocket(http, path);
  expect(await get("/readyz")).toBe("GET /readyz 127.0.0.1");
  expect(statSync(path).mode & 0o777).toBe(0o660);
  http.close();
  await once(http, "close");
  await expect.poll(() => existsSync(path)).toBe(false);
});

it("replaces the file that a killed server left, and no socket that another program serves", async () => {
  const other = createNetServer().listen(path);
  await once(other, "listening");
  await expect(listenOnUnixSocket(http, path)).rejects.toThrow(`UNIX_SOCKET=${path} is in use`);
  other.close();
  await once(other, "close");
  // A file without a server, as after SIGKILL.
  const child = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", child]);
  expect(existsSync(path)).toBe(true);
  const server = await listenOnUnixSocket(http, path);
  expect(await get("/a")).toBe("GET /a 127.0.0.1");
  server.close();
});

it("does not replace the socket of a server that is too busy to accept", async () => {
  const child = `require("node:net").createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => process.kill(process.pid, "SIGSTOP"))`;
  const busy = spawn(process.execPath, ["-e", child], { stdio: "ignore" });
  await expect.poll(() => existsSync(path)).toBe(true);
  const waiting: Socket[] = [];
  const isFull = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(path, () => resolve(false)).on("error", ({ code }: NodeJS.ErrnoException) =>
        resolve(code === "EAGAIN"),
      );
      waiting.push(socket);
    });
  await expect.poll(isFull).toBe(true);
  await expect(listenOnUnixSocket(http, path)).rejects.toThrow("is in use");
  expect(existsSync(path)).toBe(true);
  for (const socket of waiting) socket.destroy();
  busy.kill("SIGKILL");
  await once(busy, "exit");
});

it("removes no other file, and names the folder that is missing", async () => {
  writeFileSync(path, "kept");
  await expect(listenOnUnixSocket(http, path)).rejects.toThrow("exists and is no socket");
  await expect(listenOnUnixSocket(http, join(folder, "none/http.sock"))).rejects.toThrow(
    "its folder must exist",
  );
  expect(statSync(path).size).toBe(4);
});
