import { describe, expect, it } from "vitest";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { releaseLease, takeLease, takeTerm } from "./job-lease.ts";
import { openRowStore } from "./row-store.ts";

const backends = await rowBackends();

describe.each(backends)("a lease on $name", (backend) => {
  it("counts its holders, also over releases", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const now = new Date();
    const lease = (holder: string, lastsMs = 60_000) => ({ name: "job", holder, lastsMs });
    expect(await takeTerm(rows, lease("a"), now)).toBe(1);
    expect(await takeTerm(rows, lease("b"), now)).toBeUndefined();
    expect(await takeTerm(rows, lease("a"), now)).toBe(1);
    await releaseLease(rows, lease("b"));
    expect(await takeTerm(rows, lease("b"), now)).toBeUndefined();
    await releaseLease(rows, lease("a"));
    expect(await takeTerm(rows, lease("b", -1), now)).toBe(2);
    // The one of b ended before it began.
    expect(await takeTerm(rows, lease("a"), now)).toBe(3);
    await rows.destroy();
    await place.remove();
  });
});

// PostgreSQL compares with the clock that it has, see the next test.
describe.each(backends.filter(({ name }) => name === "SQLite"))("a lease on $name", (backend) => {
  it("is held by one process at a time, until it expires or is released", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const lease = (holder: string) => ({ name: "job", holder, lastsMs: 60_000 });
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds));
    const both = await Promise.all([takeLease(rows, lease("a"), at(0)), takeLease(rows, lease("b"), at(0))]);
    expect(both.toSorted()).toEqual([false, true]);
    const [winner, loser] = both[0] ? ["a", "b"] : ["b", "a"];
    expect(await takeLease(rows, lease(winner!), at(30))).toBe(true);
    expect(await takeLease(rows, lease(loser!), at(89))).toBe(false);
    expect(await takeLease(rows, lease(loser!), at(90))).toBe(true);
    await releaseLease(rows, lease(winner!));
    expect(await takeLease(rows, lease(winner!), at(91))).toBe(false);
    await releaseLease(rows, lease(loser!));
    expect(await takeLease(rows, lease(winner!), at(91))).toBe(true);
    await rows.destroy();
    await place.remove();
  });

  it("passes on from a process whose clock was years ahead, and not from one whose clock is a little ahead", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const take = (holder: string, at: string) =>
      takeLease(rows, { name: "job", holder, lastsMs: 60_000 }, new Date(at));
    expect(await take("a", "2026-11-20T12:00:50Z")).toBe(true);
    expect(await take("b", "2026-11-20T12:00:00Z")).toBe(false);
    expect(await take("a", "2030-11-20T12:00:00Z")).toBe(true);
    expect(await take("b", "2026-11-20T12:00:00Z")).toBe(true);
    await rows.destroy();
    await place.remove();
  });
});

describe.each(backends.filter(({ name }) => name === "PostgreSQL"))("a lease on $name", (backend) => {
  it("ends by the clock of the database, however wrong those of the processes are", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const lease = (holder: string) => ({ name: "job", holder, lastsMs: 60_000 });
    const [past, future] = [new Date("2001-01-01T00:00:00Z"), new Date("2099-01-01T00:00:00Z")];
    expect(await takeLease(rows, lease("a"), past)).toBe(true);
    expect(await takeLease(rows, lease("b"), future)).toBe(false);
    expect(await takeLease(rows, lease("b"), past)).toBe(false);
    expect(await takeLease(rows, lease("a"), future)).toBe(true);
    await rows.destroy();
  });
});
