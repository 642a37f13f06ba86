import { expect, it, vi } from "vitest";
import { Places } from "./places.ts";

const never = new AbortController().signal;

/** Scrapes that run until the test ends them. */
function started(places: Places) {
  const running: { readonly orgId: string; readonly end: () => void }[] = [];
  const begin = (orgId: string, stopped = never) => {
    const done = places.use(orgId, stopped, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ orgId, end: resolve });
      await promise;
    });
    return done;
  };
  return { running, begin, owners: () => running.map(({ orgId }) => orgId) };
}

it("leaves half of the places to other organizations while there are any", async () => {
  const places = new Places(4);
  places.organizations = 2;
  const { begin, running, owners } = started(places);
  const all = ["a", "a", "a", "a", "b"].map((orgId) => begin(orgId));
  await Promise.resolve();
  expect(owners()).toEqual(["a", "a", "b"]);
  expect([places.taken, places.waiting]).toEqual([3, 2]);
  places.organizations = 1;
  running[0]!.end();
  await all[0];
  await Promise.resolve();
  expect([places.taken, places.waiting]).toEqual([4, 0]);
  for (const { end } of running) end();
  await Promise.all(all);
  expect(places.taken).toBe(0);
});

it("the organization with the fewest places gets the next one, and those with as many take turns", async () => {
  const places = new Places(1);
  const { begin, running, owners } = started(places);
  const all = ["a", "a", "a", "b", "c"].map((orgId) => begin(orgId));
  await vi.waitFor(() => expect(running.length).toBe(1));
  for (const at of [0, 1, 2, 3, 4]) {
    running[at]!.end();
    await vi.waitFor(() => expect(running.length).toBe(Math.min(at + 2, all.length)));
  }
  await Promise.all(all);
  expect(owners()).toEqual(["a", "b", "c", "a", "a"]);
});

it("a scrape that is stopped waits no longer, and keeps no place", async () => {
  const places = new Places(1);
  const { begin, running, owners } = started(places);
  const first = begin("a");
  const stop = new AbortController();
  const stopped = begin("a", stop.signal);
  const last = begin("b");
  stop.abort();
  await stopped;
  expect(places.waiting).toBe(1);
  running[0]!.end();
  await first;
  await Promise.resolve();
  expect(owners()).toEqual(["a", "b"]);
  running[1]!.end();
  await last;
  expect([places.taken, places.waiting]).toEqual([0, 0]);
});
