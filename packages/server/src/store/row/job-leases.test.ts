import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { JobLeases } from "./job-leases.ts";
import { openRowStore, type RowStore, type RowStoreConfig } from "./row-store.ts";

const backends = await rowBackends();
const now = () => new Date();
const never = new AbortController().signal;

describe.each(backends)("the jobs of processes that share $name", (backend) => {
  let place: { config: RowStoreConfig; remove(): Promise<void> };
  let rows: RowStore;
  beforeEach(async () => {
    place = await backend.create();
    rows = await openRowStore(place.config, quietLog);
  });
  afterEach(async () => {
    await rows.destroy();
    await place.remove();
  });
  const open = (lastsMs?: number, at = now) =>
    new JobLeases(rows, quietLog, { isShared: true, now: at, ...(lastsMs !== undefined && { lastsMs }) });

  it("run in one of them, and in the other as soon as the first one stops", async () => {
    const [first, second] = [open(), open()];
    const terms = await Promise.all([first, second].map((leases) => leases.lead("job")));
    expect(terms.filter((term) => term !== undefined)).toHaveLength(1);
    const [leading, waiting] = terms[0] === undefined ? [second, first] : [first, second];
    const ran: string[] = [];
    await waiting.run("job", never, async () => ran.push("waiting"));
    await leading.run("job", never, async () => ran.push("leading"));
    expect(ran).toEqual(["leading"]);
    expect((await waiting.lead("other job"))?.number).toBe(1);
    const ended = (await leading.lead("job"))!.ended;
    await leading[Symbol.asyncDispose]();
    expect(ended.aborted).toBe(true);
    expect((await waiting.lead("job"))?.number).toBe(2);
    await waiting[Symbol.asyncDispose]();
  });

  it("are renewed, so that a short lease stays with its process", async () => {
    await using first = open(600);
    await using second = open(600);
    const term = (await first.lead("job"))!;
    const until = performance.now() + 1500;
    while (performance.now() < until && !term.ended.aborted) expect(await second.lead("job")).toBeUndefined();
    expect(term.ended.aborted).toBe(false);
  });

  it("end with the lease while the store does not answer", async () => {
    const away = await openRowStore(place.config, quietLog);
    const leases = new JobLeases(away, quietLog, { isShared: true, now, lastsMs: 300 });
    const term = (await leases.lead("job"))!;
    await away.destroy();
    await expect.poll(() => term.ended.aborted, { timeout: 20_000 }).toBe(true);
    await leases[Symbol.asyncDispose]();
  });
});

describe.each(backends)("the jobs of a process that has $name for itself", (backend) => {
  it("all run", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const all = [1, 2].map(() => new JobLeases(rows, quietLog, { isShared: false, now }));
    for (const leases of all) expect((await leases.lead("job"))?.ended.aborted).toBe(false);
    await rows.destroy();
    await place.remove();
  });
});
