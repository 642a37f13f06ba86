import { describe, expect, it } from "vitest";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { releaseLease, takeLease } from "./job-lease.ts";
import { openRowStore } from "./row-store.ts";

const backends = await rowBackends();

describe.each(backends)("a lease on $name", (backend) => {
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
