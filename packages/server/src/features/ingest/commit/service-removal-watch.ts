import { randomUUID } from "node:crypto";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { isRemovedSince, readServiceRemovals, type ServiceRemovals } from "#store/row/service-removals.ts";
import { StoreUnavailable } from "#store/unavailable.ts";

/** Servers on the same stores notice within this time that one of them removed a service. */
const checkEveryMs = 10_000;

/** Notices that services were removed, here or by another server on the same stores. */
export class ServiceRemovalWatch {
  readonly #ctx: Context;
  readonly #onRemoval: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #start: string;
  #latest: Promise<ServiceRemovals> | undefined;

  constructor(ctx: Context, onRemoval: () => void) {
    this.#ctx = ctx;
    this.#onRemoval = onRemoval;
    // An embedded engine that is killed with the server has noted tokens of rows that it has not stored: no earlier token may count.
    // A ClickHouse server that outlives this process finishes its inserts.
    this.#start = ctx.config.columns.kind === "embedded" ? randomUUID() : "";
    const jobLog = new JobLog(ctx.log, "the check for removed services");
    this.#timer = setInterval(() => {
      this.check().then(
        () => jobLog.succeeded(),
        (error: unknown) => jobLog.failed(error),
      );
    }, checkEveryMs);
    this.#timer.unref();
  }

  /** Changes with each removal and each start. Throws StoreUnavailable while the row store is away. */
  async dedupNamespace(): Promise<string> {
    return `${(await this.#read()).version}${this.#start}`;
  }

  /** The services that are being removed, as `serviceKey`: their stored rows may be incomplete. */
  async unfinished(): Promise<ReadonlySet<string>> {
    return new Set((await this.#read()).unfinished.map(serviceKey));
  }

  /** Whether a removal of the service began after the upload came. Throws StoreUnavailable while the row store is away. */
  async isRemovedSince(upload: UploadOfService): Promise<boolean> {
    const { orgId, recorded } = upload;
    const { service, receivedAtMs } = recorded;
    return isRemovedSince(this.#ctx.rows, { orgId, service, at: new Date(receivedAtMs) }).catch(
      (cause: unknown) => {
        throw unreadable(cause);
      },
    );
  }

  async #read(): Promise<ServiceRemovals> {
    const latest = this.#latest ?? readServiceRemovals(this.#ctx.rows);
    this.#latest = latest;
    try {
      return await latest;
    } catch (cause) {
      if (this.#latest === latest) this.#latest = undefined;
      throw unreadable(cause);
    }
  }

  /** To be called after a removal here, finished or not: the latest state is read again, even if that fails now. */
  noteRemoval(): void {
    this.#latest = undefined;
    this.#onRemoval();
    this.#read().catch(() => undefined);
  }

  /** Reads the latest state again. While the row store is away, the earlier one holds. */
  refresh(): void {
    const earlier = this.#latest;
    const latest = readServiceRemovals(this.#ctx.rows).catch((error: unknown) => {
      if (earlier === undefined) throw error;
      return earlier;
    });
    this.#latest = latest;
    this.#onRemoval();
    this.#read().catch(() => undefined);
  }

  async check(): Promise<void> {
    const earlier = await this.#read();
    const before = this.#latest;
    const read = await readServiceRemovals(this.#ctx.rows);
    if (read.version === earlier.version || this.#latest !== before) return;
    this.#latest = Promise.resolve(read);
    this.#onRemoval();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

interface UploadOfService {
  readonly orgId: string;
  readonly recorded: { readonly service: string; readonly receivedAtMs: number };
}

function unreadable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable("The row store does not say which services were removed.", { cause });
}

export function serviceKey({ orgId, service }: { readonly orgId: string; readonly service: string }): string {
  return `${orgId}/${service}`;
}
