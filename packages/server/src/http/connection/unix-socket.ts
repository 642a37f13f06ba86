import { once } from "node:events";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Owner and group: a proxy connects as a member of the server's group. */
const mode = 0o660;

/** The port or socket cannot be served; the message names the setting. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * Also serves HTTP on a socket of the file system, whose clients have the address 127.0.0.1. A file that a killed server left is replaced.
 * The result removes the file when it is closed.
 */
export async function listenOnUnixSocket(http: HttpServer, path: string): Promise<Server> {
  await removeAbandoned(path);
  const server = createServer((socket) => {
    Object.defineProperty(socket, "remoteAddress", { value: "127.0.0.1" });
    http.emit("connection", socket);
  });
  try {
    server.listen(path);
    await once(server, "listening");
    chmodSync(path, mode);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ListenError(
      `UNIX_SOCKET=${path} cannot be made (${code}): its folder must exist, and this user must be allowed to write there.`,
      { cause },
    );
  }
  http.once("close", () => server.close());
  return server;
}

async function removeAbandoned(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new ListenError(
      `UNIX_SOCKET=${path} exists and is no socket. Name another path, or remove the file.`,
    );
  if (await isServed(path))
    throw new ListenError(
      `UNIX_SOCKET=${path} is in use. Stop the program that uses it, or name another path.`,
    );
  rmSync(path, { force: true });
}

/** A server that is busy, or of another user, refuses with other errors than a socket without a server. */
async function isServed(path: string): Promise<boolean> {
  const socket: Socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}
