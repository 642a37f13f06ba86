import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnStoreFolder, keepingLog, quietLog } from "#store/testing/backends.ts";
import { profileBatch } from "#store/testing/profile-rows.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { type EngineTiming, engineTimingDefault } from "./timing.ts";
import { type Watchdog, watchEngine } from "./watchdog.ts";

const stored = maintenanceQuery({
  name: "test.stored",
  sql: "SELECT count() AS profiles FROM profiles",
  params: z.object({}),
  row: z.object({ profiles: Count }),
});

const slow = maintenanceQuery({
  name: "test.slow",
  sql: "SELECT count() AS count, sum(sleepEachRow(0.5)) FROM numbers(6)",
  params: z.object({}),
  row: z.object({ count: Count }),
});

const batch = (number: number) =>
  profileBatch(
    [{ service: "s", profileId: `p${number}`, stacks: [1n], values: [[1n], [2n]] }],
    `batch-${number}`,
  );

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

describe("an engine that hangs", () => {
  let folder: Awaited<ReturnType<typeof columnStoreFolder>>;
  let columns: ColumnStore;
  const open = async (timing: Partial<EngineTiming>) => {
    columns = await openColumnStore({ kind: "embedded", dataDir: folder.path, timing }, quietLog);
    await columns.insert(batch(1));
  };
  beforeEach(async () => {
    folder = await columnStoreFolder();
  });
  afterEach(async () => {
    await columns[Symbol.asyncDispose]();
    folder.remove();
  });

  it("is killed and restarted, and waiting operations fail at once", async () => {
    await open({ pingEvery: 50, pingMax: 500, silentMax: 2_000 });
    const pid = columns.health().enginePid!;
    process.kill(pid, "SIGSTOP");
    const waiting = columns.maintenance.query(stored, {});
    const inserting = columns.insert(batch(2)).then(
      () => "stored",
      (error: unknown) => error,
    );
    await expect(waiting).rejects.toThrow("The column store's engine does not respond.");
    expect(columns.health()).toMatchObject({ enginePid: pid, hangs: 0, restarts: 0 });
    expect(columns.health().outage).toMatch(/has not responded( for [1-9]\d* s)?; after 2 s it is ended/);
    expect(await columns.isReady()).toBe(false);
    await expect(columns.maintenance.query(stored, {})).rejects.toThrow(StoreUnavailable);
    expect(await inserting).toBeInstanceOf(StoreUnavailable);
    await until(() => columns.health().outage === undefined);
    expect(columns.health()).toMatchObject({ hangs: 1, restarts: 1 });
    expect(columns.health().enginePid).not.toBe(pid);
    expect(await columns.maintenance.query(stored, {})).toEqual([{ profiles: 1 }]);
    expect(await columns.isReady()).toBe(true);
  });

  it("is not killed if it recovers by itself", async () => {
    await open({ pingEvery: 50, pingMax: 300, silentMax: 60_000 });
    const pid = columns.health().enginePid!;
    process.kill(pid, "SIGSTOP");
    const inserting = columns.insert(batch(2));
    await until(() => columns.health().outage !== undefined);
    process.kill(pid, "SIGCONT");
    await until(() => columns.health().outage === undefined);
    await inserting;
    expect(await columns.maintenance.query(stored, {})).toEqual([{ profiles: 2 }]);
    expect(columns.health()).toMatchObject({ enginePid: pid, hangs: 0, restarts: 0 });
  });

  it("is noticed by a readiness check between two pings", async () => {
    await open({ pingEvery: 60_000, pingMax: 300, silentMax: 60_000 });
    const pid = columns.health().enginePid!;
    expect(await columns.isReady()).toBe(true);
    process.kill(pid, "SIGSTOP");
    expect(await columns.isReady()).toBe(false);
    expect(columns.health().outage).toMatch(/has not responded/);
    process.kill(pid, "SIGCONT");
    await until(() => columns.health().outage === undefined);
  });

  it("does not delay the server's stop", async () => {
    await open({ pingEvery: 60_000, stopMax: 300 });
    process.kill(columns.health().enginePid!, "SIGSTOP");
    await columns[Symbol.asyncDispose]();
    const again = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    expect(await again.maintenance.query(stored, {})).toEqual([{ profiles: 1 }]);
    await again[Symbol.asyncDispose]();
  });

  it("is distinguished from one that is busy with as many reads and inserts as it can take", async () => {
    // Reads take longer than everything the watchdog waits for.
    await open({ pingEvery: 50, queryEvery: 50, queryMax: 2_500 });
    const reads = Array.from({ length: 4 }, () => columns.maintenance.query(slow, {}));
    const inserts = Array.from({ length: 6 }, (_, number) => columns.insert(batch(number + 2)));
    expect(await Promise.all(reads)).toEqual(Array(4).fill([{ count: 6 }]));
    await Promise.all(inserts);
    expect(columns.health()).toMatchObject({ hangs: 0, restarts: 0, outage: undefined });
  });
});

describe("the watchdog", () => {
  let server: Server;
  let watchdog: Watchdog;
  let kills = 0;

  async function watch(answer: RequestListener, timing: Partial<EngineTiming>, log = quietLog) {
    server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const watched = { url, authorization: "Basic eDp5", kill: () => void kills++, onChange() {} };
    watchdog = watchEngine(watched, { ...engineTimingDefault, ...timing }, log);
  }

  beforeEach(() => {
    kills = 0;
  });
  afterEach(() => {
    watchdog.stop();
    server.closeAllConnections();
    server.close();
  });

  it("kills a process that answers but whose chDB does not answer queries", async () => {
    const log = keepingLog();
    const answer: RequestListener = (request, response) => {
      if (request.url === "/ping") response.end("Ok.\n");
    };
    await watch(answer, { pingEvery: 20, queryEvery: 20, queryMax: 300 }, log);
    await until(() => kills > 0);
    expect(log.lines.map(({ fields }) => fields)).toContainEqual({
      reason: expect.stringContaining("no query was answered"),
    });
    expect(kills).toBe(1);
  });

  it("logs repeatedly while a process does not answer, and once when it does again", async () => {
    const log = keepingLog();
    let isSilent = true;
    const answer: RequestListener = (_request, response) => {
      if (!isSilent) response.end();
    };
    const messages = () => log.lines.map(({ message }) => message);
    const still = "the column store's engine still does not respond";
    await watch(answer, { pingEvery: 20, pingMax: 50, silentMax: 60_000, remindEvery: 1_000 }, log);
    await until(() => messages().filter((message) => message === still).length === 2);
    isSilent = false;
    await until(() => watchdog.isResponding());
    expect(messages()).toEqual([
      "the column store's engine does not respond",
      still,
      still,
      "the column store's engine answers again",
    ]);
  });

  it("pings no more often after a process answered again", async () => {
    let isSilent = true;
    let pings = 0;
    const answer: RequestListener = (_request, response) => {
      pings++;
      if (!isSilent) response.end();
    };
    await watch(answer, { pingEvery: 60_000, pingMax: 1_000, silentMax: 60_000 });
    while (watchdog.isResponding()) await watchdog.check();
    isSilent = false;
    await until(() => watchdog.isResponding());
    const before = pings;
    for (let time = 0; time < 5; time++) expect(await watchdog.check()).toBe(true);
    expect(pings - before).toBe(5);
  });

  it("accepts a query's error as an answer", async () => {
    let probes = 0;
    await watch(
      (request, response) => {
        if (request.url === "/probe") probes++;
        response.writeHead(request.url === "/probe" ? 500 : 200).end();
      },
      { pingEvery: 20, queryEvery: 20, queryMax: 2_000 },
    );
    await until(() => probes >= 3);
    expect(kills).toBe(0);
  });

  it("ignores time in which its own thread did not run", async () => {
    let pings = 0;
    await watch(
      (_request, response) => {
        pings++;
        response.end();
      },
      { pingEvery: 1, pingMax: 200, silentMax: 300 },
    );
    for (let round = 1; round <= 3; round++) {
      await until(() => pings > round * 5);
      const busyUntil = performance.now() + 1_500;
      while (performance.now() < busyUntil);
    }
    const seen = pings;
    await until(() => pings > seen + 3);
    expect(kills).toBe(0);
    expect(watchdog.isResponding()).toBe(true);
  });
});
