import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JobLog } from "#store/job-log.ts";
import { keepingLog, quietLog, rowBackends } from "#store/testing/backends.ts";
import { openRowStore, type RowStore, type RowStoreConfig } from "./row-store.ts";
import { SharedChanges } from "./shared-changes.ts";

const backends = await rowBackends();

describe.each(backends)("changes of processes that share $name", (backend) => {
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
  const open = (heard: string[], store = rows, log = quietLog) => {
    const changes = new SharedChanges(store, { isShared: true, jobLog: new JobLog(log, "the exchange") });
    for (const topic of ["keys", "sessions"] as const) changes.on(topic, () => heard.push(topic));
    return changes;
  };

  it("are heard by the others without being asked for, and by their own process not at all", async () => {
    const [here, there]: string[][] = [[], []];
    await using first = open(here!);
    await using second = open(there!);
    await Promise.all([first.exchange(), second.exchange()]);
    first.note("keys");
    await expect.poll(() => there).toEqual(["keys"]);
    first.note("keys");
    second.note("sessions");
    await expect.poll(() => [here, there]).toEqual([["sessions"], ["keys", "keys"]]);
    await first.exchange();
    await second.exchange();
    expect([here, there]).toEqual([["sessions"], ["keys", "keys"]]);
  });

  it("of the same moment are heard on both sides", async () => {
    const [here, there]: string[][] = [[], []];
    await using first = open(here!);
    await using second = open(there!);
    first.note("keys");
    second.note("keys");
    await expect.poll(() => [here!.length > 0, there!.length > 0]).toEqual([true, true]);
  });

  it("are counted once more if they come while an earlier one is counted", async () => {
    const counts = async () =>
      (await rows.selectFrom("changeCounters").selectAll().execute()).map(({ value }) => value);
    await using here = open([]);
    here.note("keys");
    // The first one is being counted by now.
    await Promise.resolve();
    here.note("keys");
    await here.exchange();
    expect(await counts()).toEqual([2]);
  });

  it("are counted before the process ends, and once the store is back", async () => {
    const there: string[] = [];
    await using other = open(there);
    const log = keepingLog();
    await rows.schema.alterTable("changeCounters").renameTo("away").execute();
    const first = open([], rows, log);
    first.note("sessions");
    await expect.poll(() => log.lines.length).toBeGreaterThan(0);
    await rows.schema.alterTable("away").renameTo("changeCounters").execute();
    await first[Symbol.asyncDispose]();
    await other.exchange();
    expect(there).toEqual(["sessions"]);
  });
});
