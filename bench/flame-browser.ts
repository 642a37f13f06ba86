import { availableParallelism, loadavg } from "node:os";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { createApiKey, newPerson, register } from "@flamekeep/e2e/account";
import { missingBrowser, openBrowser, type Page } from "@flamekeep/e2e/browser";
import { sendProfile } from "@flamekeep/e2e/send";
import { startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { decodeFlameGraph, flameGraphMediaType, searchSteps } from "@flamekeep/flame";
import { type BigGraph, bigGraph } from "./flame-browser/big-graph.ts";
import { frameTimes, motions } from "./flame-browser/frames.ts";
import { installClock } from "./flame-browser/page-clock.ts";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

const name = "flame-browser";
const firstPaints = 9;

/** As where there is no GPU. */
const switches = ["--disable-gpu"];

/** Frames come as fast as they can be made: the time between two is what one costs. */
const unlimited = [...switches, "--disable-frame-rate-limit"];

/**
 * The flame graph of a profile of a million nodes in a real page. The profile goes through ingestion; its page is opened once as it
 * is, with the nodes that the server gives, and then with the whole tree in place of the server's reply.
 */
export async function benchFlameBrowser(): Promise<BenchResult> {
  const missing = missingBrowser();
  if (missing !== undefined) {
    process.stderr.write(`  ${name} is not measured: ${missing}\n`);
    return { name, input: `not measured: ${missing}`, measurements: [] };
  }
  const graph = bigGraph();
  const outside = measureOutside(graph);
  const load = `load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores before`;
  await using server = await startFlamekeep({ env: { DEMO: "off", LOG_LEVEL: "error" } });
  const paints = await measureFirstPaints(server.url, graph);
  const frames = await measureFrames(server.url, graph);
  return {
    name,
    input: `${graph.nodes} nodes, ${graph.levels} levels, ${graph.columns.length} bytes, Chromium without GPU, ${load}`,
    measurements: [...outside, ...paints, ...frames],
  };
}

/** Size of the graph on the way to the page, and searches of all of its nodes in this process. */
function measureOutside({ columns }: BigGraph): Measurement[] {
  const { tree } = decodeFlameGraph(columns);
  const times: number[] = [];
  for (let round = 0; round < 15; round++) {
    const startedAt = performance.now();
    const steps = searchSteps(tree, "Method1999");
    while (steps.next().done !== true);
    times.push(performance.now() - startedAt);
  }
  return [
    { what: "whole tree, gzip", value: gzipSync(columns).length / 1e6, unit: "MB", bar: atMost(3) },
    { what: "search of all nodes, p50", value: quantile(times, 0.5), unit: "ms", bar: atMost(40) },
  ];
}

async function measureFirstPaints(url: string, graph: BigGraph): Promise<Measurement[]> {
  await using browser = await openBrowser(switches);
  const context = await browser.newContext({ baseURL: url, viewport });
  const page = await context.newPage();
  const path = await sendGraph(page, url, graph);
  const asServed = await timeFirstPaints(page, path);
  await giveWholeTree(page, graph);
  const whole = await timeFirstPaints(page, path);
  return [
    { what: "the server's reply to first paint, p50", value: quantile(asServed, 0.5), unit: "ms" },
    { what: "whole tree to first paint, p50", value: quantile(whole, 0.5), unit: "ms", bar: atMost(400) },
    { what: "whole tree to first paint, least", value: Math.min(...whole), unit: "ms" },
  ];
}

async function measureFrames(url: string, graph: BigGraph): Promise<Measurement[]> {
  await using browser = await openBrowser(unlimited);
  const context = await browser.newContext({ baseURL: url, viewport });
  const page = await context.newPage();
  const path = await sendGraph(page, url, graph);
  await giveWholeTree(page, graph);
  await timeFirstPaint(page, path);
  const measurements: Measurement[] = [];
  for (const motion of motions) {
    const times = await frameTimes(page, motion);
    measurements.push(
      { what: `frame of ${motion}, p50`, value: quantile(times, 0.5), unit: "ms" },
      { what: `frame of ${motion}, p95`, value: quantile(times, 0.95), unit: "ms", bar: atMost(16) },
    );
  }
  return measurements;
}

/** The whole graph of 800 pixels is on screen. */
const viewport = { width: 1440, height: 1200 };

/** Signs up and sends the profile; its page, whose path this returns, runs the clock from then on. */
async function sendGraph(page: Page, url: string, { upload }: BigGraph): Promise<string> {
  await register(page, newPerson());
  const key = await createApiKey(page, "bench");
  const { status, body } = await sendProfile(url, key, "service=bench&type=cpu", upload);
  if (status !== 200) throw new Error(`the profile was answered ${status}: ${JSON.stringify(body)}`);
  await page.addInitScript(installClock);
  return `/profile/${body.profile_id}`;
}

/** The server is not asked again: its work on a million nodes would take the cores that the page is measured on. */
async function giveWholeTree(page: Page, { columns }: BigGraph): Promise<void> {
  await page.route("**/flamegraph/*", (route) =>
    route.fulfill({ contentType: flameGraphMediaType, body: Buffer.from(columns) }),
  );
  await page.route("**/stats", (route) => route.fulfill({ status: 404, json: { error: "not asked for" } }));
}

async function timeFirstPaints(page: Page, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < firstPaints; round++) times.push(await timeFirstPaint(page, path));
  return times;
}

/** From the bytes to the picture, on a new page. */
async function timeFirstPaint(page: Page, path: string): Promise<number> {
  await page.goto(path);
  try {
    await page.waitForFunction(() => window.flameClock.paintedAt >= window.flameClock.bytesAt);
  } catch (cause) {
    const clock = JSON.stringify(await page.evaluate(() => window.flameClock));
    const text = await page.getByRole("main").innerText();
    throw new Error(`The graph was not painted (${clock}). The page says: ${text.slice(0, 600)}`, { cause });
  }
  return page.evaluate(() => window.flameClock.paintedAt - window.flameClock.bytesAt);
}
