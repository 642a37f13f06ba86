import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { FromSender, LoadResult, Order, ToSender } from "./order.ts";

export type { LoadResult } from "./order.ts";

export interface LoadOptions extends Omit<Order, "profiles" | "reportIds"> {
  /** Gzipped profiles, sent in turn, each time as of another moment. */
  readonly profiles: readonly Uint8Array[];
  /** Called with every acknowledged profile, within 20 ms. */
  readonly onAcknowledged?: (ids: readonly string[]) => void;
  /** Ends the load before its time. */
  readonly until?: AbortSignal;
}

/** Sends profiles to a running server from a separate process, so that it does not share the server's threads. */
export function runLoad({ profiles, onAcknowledged, until, ...order }: LoadOptions): Promise<LoadResult> {
  const child = fork(new URL("./sender.ts", import.meta.url), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    const ended = endOf(child);
    ended.then(() => reject(new Error(`the sender ended early (${child.exitCode})`)), reject);
    child.on("message", (message: FromSender) => {
      if (message.kind === "acknowledged") onAcknowledged?.(message.ids);
      else resolve(ended.then(() => message.result));
    });
    const send = (message: ToSender) => child.send(message);
    until?.addEventListener("abort", () => send({ kind: "stop" }), { once: true });
    send({
      kind: "start",
      order: {
        ...order,
        profiles: profiles.map((profile) => Buffer.from(profile).toString("base64")),
        reportIds: onAcknowledged !== undefined,
      },
    });
  });
}

/** Resolves when the process has ended and its last message was read, which may be later. */
async function endOf(child: ChildProcess): Promise<void> {
  await Promise.all([once(child, "exit"), once(child, "disconnect")]);
}

/** Requests that were not acknowledged. */
export function refusedOf({ refusedByStatus, broken }: LoadResult): number {
  return Object.values(refusedByStatus).reduce((sum, count) => sum + count, broken);
}
