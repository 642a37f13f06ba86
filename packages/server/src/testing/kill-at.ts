// For a command of a test, as `--import`: ends the process as `kill -9` does, before it sends a statement. The query of the import has a part of
// its text, and how often such a statement is sent until then.
import { Socket } from "node:net";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

const { searchParams } = new URL(import.meta.url);
const wanted = searchParams.get("statement") ?? "";
let left = Number(searchParams.get("count"));

/** HTTP requests have their statement in their address. */
function endAt(text: string): void {
  if (text.replaceAll("+", " ").includes(wanted) && --left === 0) process.kill(process.pid, "SIGKILL");
}

const write = Socket.prototype.write as (
  this: Socket,
  chunk: Uint8Array | string,
  ...rest: unknown[]
) => boolean;
Socket.prototype.write = function (this: Socket, chunk: Uint8Array | string, ...rest: unknown[]): boolean {
  endAt(Buffer.from(chunk).toString("latin1"));
  return write.call(this, chunk, ...rest);
} as Socket["write"];

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
  endAt(args[0]);
  return prepare.apply(this, args);
};
