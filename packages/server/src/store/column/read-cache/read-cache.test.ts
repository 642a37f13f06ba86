import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Arbitrary,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  record,
  array as sequence,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { hourSeconds } from "#store/column/utc.ts";
import { Changes } from "./changes.ts";
import { ReadCache, scopeOf } from "./read-cache.ts";

const orgId = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const [ten, twelve] = [at("10:00:00") / 1000, at("12:00:00") / 1000];

it.each([
  ["times", { from: new Date(at("10:20:00")), to: new Date(at("12:20:00")) }],
  ["seconds", { fromSeconds: at("10:20:00") / 1000, toSeconds: at("12:20:00") / 1000 }],
  ["milliseconds", { fromMs: at("10:20:00"), toMs: at("12:00:00.001") }],
  ["hours", { hours: [twelve, ten] }],
  [
    "times, whatever the hours",
    { from: new Date(at("10:00:00")), to: new Date(at("13:00:00")), hours: [ten] },
  ],
])("reads the hours of a range in %s", (_, range) => {
  expect(scopeOf({ orgId, service: "api", ...range })).toEqual({
    orgId,
    service: "api",
    firstHour: ten,
    lastHour: twelve,
  });
});

it("does not read the hour that begins when the range ends", () => {
  const range = { from: new Date(at("10:00:00")), to: new Date(at("13:00:00")) };
  expect(scopeOf({ orgId, ...range })?.lastHour).toBe(twelve);
});

it("reads all services and all of the time if parameters do not limit them", () => {
  expect(scopeOf({ orgId, service: "", hours: [] })).toEqual({ orgId });
});

it("is unknown for several organizations", () => {
  expect(scopeOf({ orgIds: [orgId] })).toBeUndefined();
});

const orgs = ["org-1", "org-2"];
const services = ["api", "worker"];
const hours = [0, 1, 2, 3].map((hour) => hour * hourSeconds);
const statement = { sql: "SELECT" };

interface Row {
  readonly orgId: string;
  readonly service: string;
  readonly hourSeconds: number;
}

/** A store whose reads take rows at one moment of their time, as the engine does. */
class Store {
  rows: Row[] = [];
  reads = 0;
  readonly changes = new Changes();

  async read(params: Params): Promise<Buffer> {
    this.reads++;
    await nextTurn();
    const bytes = this.current(params);
    await nextTurn();
    return bytes;
  }

  current({ orgId, service, fromSeconds, toSeconds }: Params): Buffer {
    const found = this.rows.filter(
      (row) =>
        row.orgId === orgId &&
        (service === "" || row.service === service) &&
        row.hourSeconds >= fromSeconds &&
        row.hourSeconds < toSeconds,
    );
    return Buffer.from(String(found.length));
  }

  insert(row: Row, fails: boolean): Promise<void> {
    return this.changes.during([row], async () => {
      await nextTurn();
      this.rows.push(row);
      await nextTurn();
      if (fails) throw new Error("The reply was lost");
    });
  }

  remove(orgId: string): Promise<void> {
    return this.changes.during("everything", async () => {
      await nextTurn();
      this.rows = this.rows.filter((row) => row.orgId !== orgId);
      await nextTurn();
    });
  }
}

interface Params {
  readonly orgId: string;
  readonly service: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

const params = record({
  orgId: constantFrom(...orgs),
  service: constantFrom("", ...services),
  fromSeconds: constantFrom(...hours),
  length: integer({ min: 1, max: 4 }),
}).map(({ length, ...rest }) => ({ ...rest, toSeconds: rest.fromSeconds + length * hourSeconds }));
const row = record({
  orgId: constantFrom(...orgs),
  service: constantFrom(...services),
  hourSeconds: constantFrom(...hours),
});
const step = oneof(
  { weight: 5, arbitrary: params.map((read) => ({ kind: "read" as const, read })) },
  { weight: 3, arbitrary: row.map((inserted) => ({ kind: "insert" as const, inserted, fails: false })) },
  { weight: 1, arbitrary: row.map((inserted) => ({ kind: "insert" as const, inserted, fails: true })) },
  { weight: 1, arbitrary: constantFrom(...orgs).map((orgId) => ({ kind: "remove" as const, orgId })) },
  { weight: 2, arbitrary: constantFrom({ kind: "settle" as const }) },
);

type Step = typeof step extends Arbitrary<infer S> ? S : never;

/** Runs steps at the same time, until one that waits for all before it. */
class Run {
  readonly #store = new Store();
  readonly #cache = new ReadCache(this.#store.changes, 10_000);
  #running: Promise<unknown>[] = [];
  /** Reads that the store did not answer. */
  cached = 0;

  async take(next: Step): Promise<void> {
    if (next.kind === "settle") return this.settle();
    const operation =
      next.kind === "insert"
        ? this.#store.insert(next.inserted, next.fails)
        : next.kind === "remove"
          ? this.#store.remove(next.orgId)
          : this.#read(next.read);
    this.#running.push(operation.catch(() => undefined));
  }

  /** Waits, and compares all that can be read with the store. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
    this.#running = [];
    for (const orgId of orgs) {
      for (const service of ["", ...services]) {
        const before = this.#store.reads;
        const wanted = { orgId, service, fromSeconds: 0, toSeconds: 4 * hourSeconds };
        expect(String(await this.#read(wanted))).toBe(String(this.#store.current(wanted)));
        if (this.#store.reads === before) this.cached++;
      }
    }
  }

  #read(wanted: Params): Promise<Buffer> {
    return this.#cache.read(statement, wanted, "JSONEachRow", () => this.#store.read(wanted));
  }
}

it("changes of one hour again and again leave what is known of others", async () => {
  const changes = new Changes();
  const hour = { orgId: "org-1", service: "api", hourSeconds: 0 };
  const version = changes.versionOf({ orgId: "org-2" });
  await changes.during(Array(100_001).fill(hour), async () => undefined);
  expect(changes.versionOf({ orgId: "org-2" })).toBe(version);
  expect(changes.versionOf({ orgId: "org-1" })).not.toBe(version);
});

describe("the cache of reads", () => {
  it("answers as the store does, whatever is written between and during reads", async () => {
    let cached = 0;
    await assert(
      asyncProperty(sequence(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const run = new Run();
        for (const next of steps) await run.take(next);
        await run.settle();
        cached += run.cached;
      }),
      { numRuns: 60 },
    );
    expect(cached).toBeGreaterThan(0);
  });

  const whole = { orgId: "org-1", service: "api", fromSeconds: 0, toSeconds: 4 * hourSeconds };
  const open = (bytesMax: number) => {
    const store = new Store();
    const cache = new ReadCache(store.changes, bytesMax);
    return {
      store,
      read: (wanted: Params) => cache.read(statement, wanted, "RowBinary", () => store.read(wanted)),
    };
  };

  it("reads once for callers at the same time, and again after a failure", async () => {
    const { store, read } = open(10_000);
    expect(String(await Promise.all([read(whole), read(whole)]))).toBe("0,0");
    expect(store.reads).toBe(1);
    const cache = new ReadCache(store.changes, 10_000);
    const failing = cache.read(statement, whole, "RowBinary", () => Promise.reject(new Error("no reply")));
    await expect(failing).rejects.toThrow("no reply");
    expect(String(await cache.read(statement, whole, "RowBinary", () => store.read(whole)))).toBe("0");
  });

  it("keeps results of other hours, services and organizations when a row comes", async () => {
    const { store, read } = open(10_000);
    const early = { ...whole, toSeconds: hourSeconds - 1 };
    const others = [early, { ...whole, service: "worker" }, { ...whole, orgId: "org-2" }];
    for (const each of [whole, ...others]) await read(each);
    await store.insert({ orgId: "org-1", service: "api", hourSeconds: 2 * hourSeconds }, false);
    store.reads = 0;
    for (const each of others) await read(each);
    expect(store.reads).toBe(0);
    expect(String(await read(whole))).toBe("1");
    expect(store.reads).toBe(1);
  });

  it("keeps no result of rows that are being written", async () => {
    const { store, read } = open(10_000);
    const inserting = store.insert({ orgId: "org-1", service: "api", hourSeconds: 0 }, false);
    await Promise.all([read(whole), read(whole)]);
    expect(store.reads).toBe(2);
    await inserting;
    expect(String(await read(whole))).toBe("1");
  });

  it("holds no more than its number of bytes", async () => {
    const { store, read } = open(2000);
    for (let to = 1; to <= 20; to++) await read({ ...whole, toSeconds: to });
    store.reads = 0;
    for (let to = 20; to >= 1; to--) await read({ ...whole, toSeconds: to });
    expect(store.reads).toBeGreaterThan(10);
    expect(store.reads).toBeLessThan(20);
  });

  it("forgets everything when the engine was started again", () => {
    let restarts = 0;
    const changes = new Changes(() => restarts);
    const before = changes.versionOf(whole);
    restarts = 1;
    expect(changes.versionOf(whole)).not.toBe(before);
  });
});
