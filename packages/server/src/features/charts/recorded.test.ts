import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const recorded = new URL("../../../../../examples/shop/recorded/", import.meta.url);

interface Truth {
  readonly totals: Readonly<Record<string, number>>;
  readonly by_cum: readonly { readonly name: string; readonly cum: number }[];
  readonly by_flat: readonly { readonly name: string; readonly flat: number }[];
}

/** The output of `go tool pprof` for the files of the shop's recording. */
const truth: Readonly<Record<string, Truth>> = JSON.parse(
  gunzipSync(readFileSync(new URL("truth/checkout-before.json.gz", recorded))).toString(),
);
let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp();
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

async function chartOf(file: string, type: string, calls: string) {
  const query = { service: "checkout", type, started_at: String(Date.now()) };
  const profile = readFileSync(new URL(file, recorded));
  const { profile_id } = await server.send(profile, { headers: keyHeaders, query });
  const url = `/api/v1/protected/${calls}/chart/${profile_id}`;
  return (await server.app.inject({ url, headers: person.headers })).json();
}

function cumOf(file: string, name: string): number | undefined {
  return truth[file]?.by_cum.find((row) => row.name === name)?.cum;
}

function delayOf(sites: readonly { readonly total_delay_ms: number }[]): number {
  return Math.round(sites.reduce((sum, site) => sum + site.total_delay_ms * 1e6, 0));
}

describe("charts of the recorded shop agree with go tool pprof", () => {
  it("on goroutines: their number and where most of them wait", async () => {
    const file = "checkout/before/goroutine-01.pb.gz";
    const chart = await chartOf(file, "goroutine", "goroutines");
    expect(chart.total).toBe(truth[file]?.totals["goroutine/count"]);
    const [group] = chart.groups;
    expect([group.state, group.count]).toEqual(["chan receive", cumOf(file, group.at.function_name)]);
    expect(chart.groups.length).toBeGreaterThan(5);
  });

  it("on mutexes: contentions, delay and who held the lock", async () => {
    const file = "checkout/before/mutex-01.pb.gz";
    const chart = await chartOf(file, "mutex", "mutex");
    expect(chart.contentions).toBe(truth[file]?.totals["contentions/count"]);
    expect(Math.round(chart.total_delay_ms * 1e6)).toBe(truth[file]?.totals["delay/nanoseconds"]);
    const holder = "shop/internal/inventory.(*Ledger).Reserve";
    expect(chart.call_sites[0]).toMatchObject({ kind: "mutex", holder });
    const held = chart.call_sites.filter((site: { holder: string }) => site.holder === holder);
    expect(delayOf(held)).toBe(cumOf(file, holder));
  });

  it("on blocking: delay by kind of wait", async () => {
    const file = "checkout/before/block-01.pb.gz";
    const chart = await chartOf(file, "block", "block");
    expect(chart.contentions).toBe(truth[file]?.totals["contentions/count"]);
    expect(chart.call_sites[0]).toMatchObject({
      kind: "channel receive",
      waiter: "shop/internal/checkout.(*Payments).work",
    });
    const selects = chart.call_sites.filter((site: { kind: string }) => site.kind === "select");
    const selectgo = truth[file]?.by_flat.find(({ name }) => name === "runtime.selectgo");
    expect(delayOf(selects)).toBe(selectgo?.flat);
  });

  it("on the custom profile: its total and where it comes from", async () => {
    const file = "checkout/before/custom-01.pb.gz";
    const chart = await chartOf(file, "custom", "custom");
    expect(chart.sample_types[0].total).toBe(truth[file]?.totals["shop/open_carts/count"]);
    expect(chart.stacks[0].at.function_name).toBe(truth[file]?.by_flat[0]?.name);
  });
});
