import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Config, readConfig } from "#config";
import { ListenError, listenOnUnixSocket } from "#http/connection/unix-socket.ts";
import { memoryLimit, tooLittleMemory } from "#memory/budget.ts";
import { tidyWhenIdle } from "#memory/tidy-when-idle.ts";
import { lockDataFolder } from "#store/data-folder-lock.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { endMove } from "#store/unfinished-move.ts";
import { ConfigError } from "./context/environment.ts";
import { type OpenContext, openContext } from "./open-context.ts";
import { openLog } from "./open-log.ts";

/** sysexits.h: the program was configured wrongly. */
const exitConfig = 78;
const exitFailure = 1;
const stopSecondsMax = 30;
/** As long as accepted uploads wait for the store when the server stops. */
const storeMsMax = 15_000;
const sameSignalMs = 1000;
/** A start that gets a signal has this long to finish: a database that does not answer takes longer. */
const startingMsMax = 5000;
const launcherCheckMs = 500;
/** An address of another machine, a name without an address, and an address that lacks its scope or family. */
const foreignHostCodes: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EINVAL",
  "EAFNOSUPPORT",
]);
/** Only this user can read the files that the server and its engine process write. */
const umask = 0o077;

/** Environment -> settings -> stores -> app -> listening; ends the process with one clear line where that fails. */
export function start(): Promise<void> {
  return serveUntilStopped().catch(fail);
}

async function serveUntilStopped(): Promise<void> {
  process.umask(umask);
  const given = readConfig();
  const { kind } = given.columns;
  const missing = tooLittleMemory(memoryLimit(), kind) ?? (kind === "embedded" ? missingEngine() : undefined);
  if (missing !== undefined) throw new ConfigError([missing]);
  const { config, freePort } = await withChosenPort(given);
  if (config.unixSocket !== undefined) await tryUnixSocket(config.unixSocket);
  await endMove(given.dataDir);
  const log = await openLog(config, process.stderr.isTTY);
  const stop = stopOnSignals(config.stopDelayMs);
  // The app is loaded while the engine starts in its own process.
  const { requested: stopped } = stop;
  const opening = lockDataFolder(config.dataDir, log, { stopped }).then(() =>
    openContext(config, log, { stopped }),
  );
  const loading = Promise.all([import("./app.ts"), import("./warm-up.ts")]);
  const [ctx, [{ createApp, openGraphCache }, { warmUp }]] = await Promise.all([opening, loading]).catch(
    (cause: unknown) => {
      if (stop.requested.aborted) process.exit(0);
      throw cause;
    },
  );
  let isWarm = false;
  const graphCache = openGraphCache(ctx);
  const failed = new AbortController();
  const ended = AbortSignal.any([stop.requested, failed.signal]);
  const warming = warmUp({ ...ctx, graphCache }, ended).finally(() => {
    isWarm = true;
  });
  let app: FastifyInstance | undefined;
  try {
    app = await createApp(ctx, {
      graphCache,
      isWarm: () => isWarm,
      isStopping: () => stop.requested.aborted,
    });
    const serving = app;
    stop.with(() => close(serving, ctx));
    await freePort();
    await listen(app, config);
    if (config.unixSocket !== undefined) await listenOnUnixSocket(app.server, config.unixSocket);
    console.log(
      `Flamekeep serves ${given.port === 0 ? localUrl(config) : config.publicUrl} (stop with Ctrl-C)`,
    );
    tidyWhenIdle();
    await warming;
  } catch (cause) {
    failed.abort();
    // First, so that no job finds its stores closed.
    await app?.close();
    await ctx[Symbol.asyncDispose]();
    throw cause;
  }
}

/** The smaller image has no built-in column store. */
function missingEngine(): string | undefined {
  try {
    import.meta.resolve("chdb");
    return undefined;
  } catch {
    return "CLICKHOUSE_URL is required, because this installation has no built-in column store: set it to a ClickHouse server, or install Flamekeep with the built-in column store";
  }
}

interface ChosenPort {
  readonly config: Config;
  /** To be called right before the server listens. */
  readonly freePort: () => Promise<unknown>;
}

/**
 * For PORT=0 the settings have a chosen port, because links and the guide contain it before the server listens. The port is held
 * until then: the system would give a free one to the next connection of any program.
 * Throws a ListenError if this machine does not have the address or the port, before stores are opened and jobs begin.
 */
async function withChosenPort(config: Config): Promise<ChosenPort> {
  const probe = createServer((socket) => socket.destroy()).listen(config.port, config.host);
  await once(probe, "listening").catch((cause) => rethrow(cause, config));
  const { port } = probe.address() as AddressInfo;
  const freePort = () => once(probe.close(), "close");
  if (config.port !== 0) {
    await freePort();
    return { config, freePort: async () => undefined };
  }
  probe.unref();
  const publicUrl = config.publicUrl.replace("http://localhost:0", `http://localhost:${port}`);
  return { config: { ...config, port, publicUrl }, freePort };
}

/** Throws a ListenError if the socket cannot be served. */
async function tryUnixSocket(path: string): Promise<void> {
  await using _socket = await listenOnUnixSocket(createHttpServer(), path);
}

/** Throws a ListenError if the port was taken since the start began. */
async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const { host, port } = config;
  await app.listen({ host, port }).catch((cause) => rethrow(cause, config));
}

function rethrow(cause: NodeJS.ErrnoException, { host, port }: Config): never {
  const message = listenFailure(host, port, cause.code);
  throw message === undefined ? cause : new ListenError(message, { cause });
}

function listenFailure(host: string, port: number, code = ""): string | undefined {
  if (code === "EADDRINUSE")
    return `Port ${port} is in use. Stop the program that uses it, or set PORT to another.`;
  if (code === "EACCES") return `Port ${port} may not be used by this user. Set PORT to one above 1023.`;
  if (!foreignHostCodes.has(code)) return undefined;
  return `HOST=${host} is not an address of this machine (${code}). Set HOST to one it has: 127.0.0.1 for this machine alone, 0.0.0.0 for all.`;
}

function localUrl({ port, basePath }: Config): string {
  return `http://localhost:${port}${basePath}`;
}

async function close(app: FastifyInstance, ctx: OpenContext): Promise<void> {
  // A store that hangs answers nothing: requests, jobs and accepted uploads would wait for it longer than the stop may take.
  ctx.columns.endWithin(storeMsMax);
  await app.close();
  await ctx[Symbol.asyncDispose]();
}

/**
 * The first signal, or the end of the process that launched it, stops the server gracefully, the second signal at once. A signal
 * during the start ends it, at the latest after five seconds. One Ctrl-C can arrive twice, from the terminal and from the parent process: within a second it counts once.
 * SIGTERM comes from an orchestrator, whose load balancers still send requests for some seconds.
 */
function stopOnSignals(delayMs: number): {
  readonly requested: AbortSignal;
  with(close: () => Promise<void>): void;
} {
  let closing: (() => Promise<void>) | undefined;
  const requested = new AbortController();
  let requestedAt: number | undefined;
  const run = (): void => {
    if (closing === undefined) return;
    setTimeout(
      () => fail(new Error(`not finished after ${stopSecondsMax} s`)),
      stopSecondsMax * 1000,
    ).unref();
    closing().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  const request = (signal?: NodeJS.Signals): void => {
    if (requestedAt !== undefined && performance.now() - requestedAt < sameSignalMs) return;
    if (requestedAt !== undefined) process.exit(exitFailure);
    requestedAt = performance.now();
    const isDelayed = signal === "SIGTERM" && delayMs > 0 && closing !== undefined;
    console.log(
      isDelayed
        ? `Stopping: serving for ${delayMs / 1000} s more, then finishing accepted work. A second signal stops immediately.`
        : "Stopping: finishing accepted work. Press Ctrl-C again to stop immediately.",
    );
    requested.abort();
    if (isDelayed) {
      setTimeout(run, delayMs);
      return;
    }
    // No upload was accepted yet, and the stores can resume their work at the next start.
    setTimeout(() => {
      if (closing === undefined) process.exit(0);
    }, startingMsMax).unref();
    run();
  };
  // Replaces the listeners of main.ts. Without a listener in between, Node would drop a signal that arrived while modules loaded.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const replaced = process.listeners(signal);
    process.on(signal, request);
    for (const listener of replaced) process.off(signal, listener);
  }
  watchLauncher(() => {
    if (requestedAt === undefined) request();
  });
  return {
    requested: requested.signal,
    with(close) {
      closing = close;
      if (requestedAt !== undefined) run();
    },
  };
}

/**
 * `npm start` names the process that waits for this one: it may be killed without a word. A server that was started in another
 * way may lose its parent, as when a shell ends.
 */
function watchLauncher(onEnd: () => void): void {
  // biome-ignore lint/style/noProcessEnv: not a setting
  const launcher = Number(process.env.FLAMEKEEP_LAUNCHER) || undefined;
  if (launcher === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    onEnd();
  }, launcherCheckMs).unref();
}

function fail(error: unknown): never {
  console.error(messageOf(error));
  process.exit(error instanceof ConfigError ? exitConfig : exitFailure);
}

function messageOf(error: unknown): string {
  if (isExpected(error)) return error.message;
  const { message, stack } = error as Error;
  return `Flamekeep failed: ${stack ?? message}`;
}

function isExpected(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof ListenError || error instanceof StoreRefused;
}
