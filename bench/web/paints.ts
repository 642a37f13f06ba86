import { profileTypes, type ServiceSeries } from "@flamekeep/contract";
import { atMost, type Measurement, quantile } from "#result";
import { filesOf } from "./chunks.ts";
import { holdReply } from "./hold-reply.ts";
import { loadedAt, scriptBytes, shownAt, untilQuiet, watchTimes } from "./page-times.ts";
import { busyService } from "./seed.ts";
import type { Visitor } from "./visitor.ts";

const rounds = 7;
const chart = ".uplot canvas";
const lane = "[aria-roledescription=chart] > svg";

/** Slow 4G, as Lighthouse simulates it: a round trip of 150 ms, 1.6 Mbit/s down, 750 kbit/s up. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

/** How long pages take until they show what they were opened for. */
export async function measurePaints(visitor: Visitor): Promise<Measurement[]> {
  return [
    ...(await dashboard(visitor)),
    ...times("dashboard over slow 4G, first paint", await repeat(() => slowFirstPaint(visitor)), 1000),
    ...times("explore, 24 h of 10 s profiles: script to chart", await repeat(() => explore(visitor)), 400),
    ...times("five lanes of 10,080 points: reply to paint", await repeat(() => fiveLanes(visitor)), 200),
    ...(await fleet(visitor)),
  ];
}

async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) values.push(await measure());
  return values;
}

function times(what: string, values: readonly number[], bar: number): Measurement[] {
  return [
    { what: `${what}, p50`, value: quantile(values, 0.5), unit: "ms", bar: atMost(bar) },
    { what: `${what}, least`, value: Math.min(...values), unit: "ms" },
  ];
}

async function dashboard(visitor: Visitor): Promise<Measurement[]> {
  let bytes = 0;
  const largest = await repeat(async () => {
    const page = await visitor.page("demo");
    await watchTimes(page, { services: ['main a[href^="/profiles/service/"]', 1] });
    await page.goto("/dashboard");
    bytes = await scriptBytes(page, await shownAt(page, "services"));
    // Fonts and late data may still paint something larger.
    await page.waitForLoadState("networkidle");
    const value = await page.evaluate(() => window.webTimes.largestPaintAt);
    await page.context().close();
    return value;
  });
  return [
    ...times("dashboard, cold cache: largest contentful paint", largest, 1000),
    { what: "dashboard: scripts", value: bytes / 1024, unit: "KB", bar: atMost(200, true) },
  ];
}

async function slowFirstPaint(visitor: Visitor): Promise<number> {
  const page = await visitor.page("demo");
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", slowNetwork);
  await page.goto("/dashboard", { waitUntil: "commit" });
  const at = await page.waitForFunction(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  );
  const value = Number(await at.jsonValue());
  await page.context().close();
  return value;
}

async function explore(visitor: Visitor): Promise<number> {
  const page = await visitor.page();
  await watchTimes(page, { chart: [chart, 1] });
  await page.goto(`/profiles/service/${busyService}/cpu`);
  const shown = await shownAt(page, "chart");
  const value = shown - (await loadedAt(page, filesOf("src/features/service/page.tsx")));
  await page.context().close();
  return value;
}

/** From the reply to the paint of five lanes, on a page whose other parts are there. */
async function fiveLanes(visitor: Visitor): Promise<number> {
  const page = await visitor.page();
  await watchTimes(page, { lanes: [lane, 5] });
  const answer = await holdReply<ServiceSeries>(page, "*/series/service/*", (series) => ({
    ...series,
    charts: filledCharts(series),
  }));
  await page.goto(`/profiles/service/${busyService}?range=168h&bucket=1m`);
  await untilQuiet(page);
  answer();
  const shown = await shownAt(page, "lanes");
  const value = shown - (await loadedAt(page, ["/series/service/"]));
  await page.context().close();
  return value;
}

/** The server's reply with a value in every bucket, once for each of five types. */
function filledCharts({ charts: [chart] }: ServiceSeries): ServiceSeries["charts"] {
  const [line] = chart?.lines ?? [];
  if (chart === undefined || line === undefined) throw new Error(`${busyService} has no chart`);
  const filled = {
    ...line,
    values: line.values.map((_, at) => 1e9 * (5 + Math.sin(at / 300) + Math.sin(at * at))),
    profile_counts: line.values.map(() => 1),
    durations_ms: line.values.map(() => 10_000),
  };
  return profileTypes.slice(0, 5).map((type) => ({ ...chart, type, lines: [filled] }));
}

async function fleet(visitor: Visitor): Promise<Measurement[]> {
  let nodes = 0;
  const values = await repeat(async () => {
    const page = await visitor.page();
    await watchTimes(page, { cards: ['a[href^="/profiles/service/service-"]', 8] });
    await page.goto("/profiles");
    const shown = await shownAt(page, "cards");
    const value = shown - (await loadedAt(page, filesOf("src/features/profiles/page.tsx")));
    nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    await page.context().close();
    return value;
  });
  return [
    ...times("1,000 services: script to cards", values, 600),
    { what: "1,000 services: nodes of the page", value: nodes, unit: "", bar: atMost(1500, true) },
  ];
}
