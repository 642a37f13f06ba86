// @vitest-environment happy-dom
import { limits, listServices, type ServiceTrend, serviceTrends } from "@flamekeep/contract";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterAll, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { signInAs } from "#testing/sign-in-as.ts";
import { servicesQuery, trendsQuery } from "./queries.ts";

afterAll(() => vi.unstubAllGlobals());

const range = { from: "2026-11-19T10:00:00.000Z", to: "2026-11-20T10:00:00.000Z" };
const at = "2026-11-20T10:00:00.000Z";

function trendOf(name: string): ServiceTrend {
  const cpu = { points: [], current: 1, previous: null };
  return { name, health: "healthy", silent_since: null, open_alerts: 0, worst_alert: null, cpu };
}

/** Answers with a page of the names, a name for each page, if none are asked for. */
function answer(all: readonly string[] = []) {
  const server = new FakeServer();
  signInAs("member");
  server.on(serviceTrends, ({ query }) => {
    const named = query.getAll("service");
    const page = Number(query.get("cursor") ?? 0);
    const services = named.length > 0 ? named : all.slice(page, page + 1);
    return replyWith(serviceTrends, {
      from: at,
      to: at,
      bucket_seconds: 60,
      open_alerts: 0,
      services_with_alerts: 0,
      services: services.map(trendOf),
      next_cursor: named.length === 0 && page + 1 < all.length ? String(page + 1) : null,
    });
  });
  return server;
}

async function namesRead(services: readonly string[] | "all") {
  const { services: trends } = await new QueryClient().fetchQuery(trendsQuery(range, services));
  return trends.map(({ name }) => name);
}

it.each([
  ["short names", (n: number) => `s-${n}`],
  ["names of three bytes a letter", (n: number) => `${"名".repeat(150)}${n}`],
])("trends of many services are read in addresses of limited length: %s", async (_, nameOf) => {
  const server = answer();
  const names = Array.from({ length: 230 }, (_each, n) => nameOf(n));
  expect((await namesRead(names)).sort()).toEqual(names.toSorted());
  const calls = server.callsOf(serviceTrends);
  expect(calls.length).toBeGreaterThan(2);
  for (const { query } of calls) {
    expect(query.getAll("service").length).toBeLessThanOrEqual(limits.trendServicesMax);
    expect(query.toString().length).toBeLessThan(4_200);
  }
});

it("trends of all services are read page by page", async () => {
  const server = answer(["a", "b", "c"]);
  expect(await namesRead("all")).toEqual(["a", "b", "c"]);
  expect(server.callsOf(serviceTrends)).toHaveLength(3);
});

it("trends of no services are not those of the last ones", async () => {
  answer();
  const client = new QueryClient();
  const observer = new QueryObserver(client, trendsQuery(range, ["a"]));
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.services).toHaveLength(1));
  observer.setOptions(trendsQuery(range, []));
  expect(observer.getCurrentResult()).toMatchObject({ isPlaceholderData: false, data: undefined });
  observer.setOptions(trendsQuery(range, ["b"]));
  expect(observer.getCurrentResult().fetchStatus).toBe("fetching");
  stop();
});

it("counts services once a minute, when another service is listed, and when the counts are invalid", async () => {
  const server = new FakeServer();
  signInAs("member");
  let names = ["api"];
  let profiles = 1;
  const counted: boolean[] = [];
  server.on(listServices, ({ query }) => {
    const isCounted = query.get("include_totals") === "true";
    counted.push(isCounted);
    return replyWith(listServices, {
      services: names.map((name) => ({
        name,
        last_activity: new Date(Date.parse(at) + profiles).toISOString(),
        ...(isCounted && { total_profiles: profiles }),
      })),
      next_cursor: null,
      total: names.length,
      totals: { services: names.length, last_activity: at, ...(isCounted && { open_alerts: profiles }) },
    });
  });
  vi.useFakeTimers({ now: Date.parse(at), toFake: ["Date"] });
  const client = new QueryClient();
  const query = servicesQuery(range, { order: "name", limit: 10 });
  const read = async () => {
    const { services, totals } = await client.fetchQuery({ ...query, staleTime: 0 });
    return [
      services.map(({ total_profiles }) => total_profiles),
      totals.open_alerts,
      services[0]!.last_activity,
    ];
  };
  const activity = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
  try {
    expect(await read()).toEqual([[1], 1, activity(1)]);
    profiles = 2;
    expect(await read()).toEqual([[1], 1, activity(2)]);
    names = ["api", "worker"];
    expect(await read()).toEqual([[2, 2], 2, activity(2)]);
    profiles = 3;
    vi.setSystemTime(Date.parse(at) + 60_000);
    expect(await read()).toEqual([[3, 3], 3, activity(3)]);
    profiles = 4;
    await client.invalidateQueries({ queryKey: query.queryKey, refetchType: "none" });
    expect(await read()).toEqual([[4, 4], 4, activity(4)]);
    expect(counted).toEqual([true, false, false, true, true, true]);
  } finally {
    vi.useRealTimers();
  }
});
