import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Config, ConfigError, readConfig } from "#config";
import { StoreRefused } from "#store/refused.ts";
import { type OpenContext, openContext } from "./open-context.ts";
import { openLog } from "./open-log.ts";

/** sysexits.h: the program was configured wrongly. */
const exitConfig = 78;
const exitFailure = 1;
const stopSecondsMax = 30;
const sameSignalMs = 1000;
/** A start that was told to stop has this long to get somewhere: a database that does not answer takes longer. */
const startingMsMax = 5000;
/** An address of another machine, a name without an address, and an address that lacks its scope or family. */
const foreignHostCodes: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EINVAL",
  "EAFNOSUPPORT",
]);
/** Whatever is written, by the engine's process too, is for this user alone. */
const umask = 0o077;

/** The port cannot be served; the message names the setting. */
class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Environment -> settings -> stores -> app -> listening; ends the process with one clear line where that fails. */
export function start(): Promise<void> {
  return serveUntilStopped().catch(fail);
}

async function serveUntilStopped(): Promise<void> {
  process.umask(umask);
  const config = readConfig();
  const log = await openLog(config, process.stderr.isTTY);
  const stop = stopOnSignals();
  // The engine starts in its own process meanwhile.
  const opening = openContext(config, log, undefined, stop.asked);
  const [ctx, { createApp }] = await Promise.all([opening, import("./app.ts")]).catch((cause: unknown) => {
    if (stop.asked.aborted) process.exit(0);
    throw cause;
  });
  try {
    const app = await createApp(ctx);
    stop.with(() => close(app, ctx));
    await listen(app, config);
    console.log(`Flamekeep serves ${servedUrl(app, config)} (stop with Ctrl-C)`);
  } catch (cause) {
    await ctx[Symbol.asyncDispose]();
    throw cause;
  }
}

/** Throws a ListenError where the settings ask for what this machine does not have. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const words = listenFailure(host, port, (cause as NodeJS.ErrnoException).code);
    throw words === undefined ? cause : new ListenError(words, { cause });
  }
}

function listenFailure(host: string, port: number, code = ""): string | undefined {
  if (code === "EADDRINUSE") return `Port ${port} is in use. Stop what uses it, or set PORT to another.`;
  if (code === "EACCES") return `Port ${port} may not be used by this user. Set PORT to one above 1023.`;
  if (!foreignHostCodes.has(code)) return undefined;
  return `HOST=${host} is not an address of this machine (${code}). Set HOST to one it has: 127.0.0.1 for this machine alone, 0.0.0.0 for all.`;
}

function servedUrl(app: FastifyInstance, config: Config): string {
  if (config.port !== 0) return config.publicUrl;
  return `http://localhost:${(app.server.address() as AddressInfo).port}`;
}

async function close(app: FastifyInstance, ctx: OpenContext): Promise<void> {
  await app.close();
  await ctx[Symbol.asyncDispose]();
}

/**
 * The first signal stops in order, the second at once. A signal while starting stops as soon as there is something to stop.
 * One Ctrl-C can arrive twice, from the terminal and from the program that started us: within a second it is the same.
 */
function stopOnSignals(): { readonly asked: AbortSignal; with(close: () => Promise<void>): void } {
  let closing: (() => Promise<void>) | undefined;
  const asked = new AbortController();
  let askedAt: number | undefined;
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
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (askedAt !== undefined && performance.now() - askedAt < sameSignalMs) return;
      if (askedAt !== undefined) process.exit(exitFailure);
      askedAt = performance.now();
      console.log("Stopping: finishing what was accepted. Once more stops at once.");
      asked.abort();
      // Nothing was accepted yet, and what the stores are at they can take up again.
      setTimeout(() => {
        if (closing === undefined) process.exit(0);
      }, startingMsMax).unref();
      run();
    });
  }
  return {
    asked: asked.signal,
    with(close) {
      closing = close;
      if (askedAt !== undefined) run();
    },
  };
}

function fail(error: unknown): never {
  console.error(sentence(error));
  process.exit(error instanceof ConfigError ? exitConfig : exitFailure);
}

function sentence(error: unknown): string {
  if (isForeseen(error)) return error.message;
  const { message, stack } = error as Error;
  return `Flamekeep failed: ${stack ?? message}`;
}

function isForeseen(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof ListenError || error instanceof StoreRefused;
}
