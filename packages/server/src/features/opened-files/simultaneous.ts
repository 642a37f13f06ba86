import type { FastifyInstance } from "fastify";
import { rateLimited } from "#failure";
import { networkOf } from "#net/network.ts";

/** Files that are received and read at the same time: their bytes are in memory before anything is known about them. */
const simultaneousMax = 6;
const simultaneousOfAddressMax = 2;
const retrySeconds = 5;
/** A body that takes longer would keep its place from others. */
const receivedMsMax = 30_000;

/** Bounds the requests on `scope` that are received or worked on at the same time, of all addresses and of each. */
export function limitSimultaneous(scope: FastifyInstance): void {
  const open = new Map<object, string>();
  scope.addHook("onRequest", async (request) => {
    const address = networkOf(request.ip);
    const ofAddress = [...open.values()].filter((other) => other === address).length;
    if (open.size >= simultaneousMax || ofAddress >= simultaneousOfAddressMax)
      throw rateLimited(`Other files are being read. Try again in ${retrySeconds} s.`, retrySeconds);
    open.set(request, address);
    const { raw } = request;
    const late = setTimeout(() => raw.destroy(), receivedMsMax).unref();
    raw.once("end", () => clearTimeout(late));
    raw.once("close", () => clearTimeout(late));
  });
  // Comes when the work is done, even if the sender has hung up meanwhile.
  scope.addHook("onSend", async (request) => void open.delete(request));
  // The sender hung up before the work began.
  scope.addHook("onRequestAbort", async (request) => void open.delete(request));
}
