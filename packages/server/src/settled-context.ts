import type { Config } from "#config";
import { Intake } from "#ingest/intake.ts";
import { holdCopy } from "./backup/hold-stores.ts";
import { type OpenContext, openContext } from "./open-context.ts";

type Log = Parameters<typeof openContext>[1];

/** Sums over everything take longer than a page may wait. */
const limits = { executionSecondsMax: 600 };

/**
 * Opens the stores while no server runs, and makes the rows of all acknowledged uploads, as a start after a kill does. There is no demo
 * organization but a stored one.
 */
export async function openSettled(
  config: Config,
  log: Log,
  options?: { readonly isCopy: boolean },
): Promise<OpenContext> {
  await using opened = new AsyncDisposableStack();
  const ctx = opened.use(await openContext(withoutHurry(config), log, options));
  await storeWaitingRows(ctx);
  opened.move();
  return ctx;
}

function withoutHurry(config: Config): Config {
  return { ...config, columns: { ...config.columns, limits }, demo: false };
}

async function storeWaitingRows(ctx: OpenContext): Promise<void> {
  const intake = new Intake(ctx);
  try {
    await ctx.columns.awaitedRows.settled(undefined);
  } finally {
    await intake.close();
  }
}

/** The reading of a server takes little of the machine's memory from it. */
const engineMemoryBytesMax = 500_000_000;

/**
 * Opens the stores of a server that may run, as they are now: built-in stores as a copy, servers of databases as they are. Everything that
 * was acknowledged before is in built-in stores.
 */
export async function openPresent(config: Config, log: Log): Promise<OpenContext> {
  await using opened = new AsyncDisposableStack();
  const { config: held } = opened.use(await holdCopy(config));
  const { columns } = held;
  if (columns.kind === "url")
    return keeping(opened, await openContext(withoutHurry(held), log, { isCopy: true }));
  const memoryBytesMax = Math.min(columns.memoryBytesMax ?? engineMemoryBytesMax, engineMemoryBytesMax);
  const settled = { ...held, columns: { ...columns, memoryBytesMax } };
  return keeping(opened, await openSettled(settled, log, { isCopy: true }));
}

/** The context, with which everything that it needs is disposed of. */
function keeping(needed: AsyncDisposableStack, ctx: OpenContext): OpenContext {
  const all = needed.move();
  all.use(ctx);
  return { ...ctx, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
