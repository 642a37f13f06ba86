/**
 * The engine process: opens chDB on one folder and serves it on a private loopback port. It ends
 * with its parent. It is a separate process because chDB cannot be interrupted, but a process can be killed: that loses
 * nothing that was acknowledged.
 */
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { drainPending } from "chdb";
import { tidyWhenIdle } from "#memory/tidy-when-idle.ts";
import { createEngineServer, type EngineServer } from "./http.ts";
import type { EngineSettings, FromEngine, ToEngine } from "./protocol.ts";
import { type OpenedEngine, openSessions } from "./sessions.ts";

// Terminals and service managers signal the whole process group; the parent decides when to stop.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
// Without a parent nobody reads replies. A clean exit would run chDB's teardown while operations run.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

let opened: { engine: OpenedEngine; http: EngineServer } | undefined;

process.on("message", (message: ToEngine) => {
  if (message.kind === "start") start(message.settings);
  else void stop();
});

function start(settings: EngineSettings): void {
  send({ kind: "opening" });
  let engine: OpenedEngine;
  try {
    engine = openSessions(settings);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ kind: "cannot-open", message }, () => process.kill(process.pid, "SIGKILL"));
    return;
  }
  const http = createEngineServer(engine, settings);
  opened = { engine, http };
  http.server.listen(0, "127.0.0.1", () => {
    const { port } = http.server.address() as AddressInfo;
    send({ kind: "ready", port, lostParts: engine.lostParts });
    tidyWhenIdle();
  });
}

/** Refuses new requests, finishes running ones, closes: closing during an operation would abort the engine. */
async function stop(): Promise<void> {
  if (opened) {
    opened.http.server.close();
    while (opened.http.running() > 0 || !opened.engine.writers.isIdle || !opened.engine.readers.isIdle) {
      await sleep(5);
    }
    await drainPending();
    opened.engine.close();
  }
  process.exit(0);
}

function send(message: FromEngine, sent: () => void = () => {}): void {
  process.send?.(message, sent);
}
