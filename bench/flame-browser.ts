import { availableParallelism, loadavg } from "node:os";
import process from "node:process";
import { missingBrowser } from "@flamekeep/e2e/browser";
import { startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { frameTimes, type Motion, motions } from "./flame-browser/frames.ts";
import { GraphPage } from "./flame-browser/graph-page.ts";
import { bigGraph, deepGraph, gridGraph, largestRealGraph } from "./flame-browser/graphs.ts";
import { measureOutside } from "./flame-browser/outside.ts";
import { measurePeers } from "./flame-browser/peers.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

const name = "flame-browser";
const firstPaints = 9;

/** As where there is no GPU. */
const switches = ["--disable-gpu"];

/** Frames come as fast as they can be made: the time between two is what one costs. */
const unlimited = [...switches, "--disable-frame-rate-limit"];

type Big = ReturnType<typeof bigGraph>;

/**
 * The flame graph of a profile of a million nodes in a real page. The profile goes through ingestion; its page is opened by clicks with the
 * reply of the server, and then with the same tree in place of it, so that the server's work takes no time of the page.
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
    input: `${graph.nodes} nodes, ${graph.levels} levels, ${graph.columns.length} bytes, canvas 1600x800, Chromium without GPU, ${load}`,
    measurements: [...outside, ...paints, ...frames],
  };
}

async function measureFirstPaints(url: string, graph: Big): Promise<Measurement[]> {
  await using opened = await GraphPage.open(url, graph.upload, switches);
  const clicks: Awaited<ReturnType<GraphPage["clickMs"]>>[] = [];
  for (let round = 0; round < firstPaints; round++) clicks.push(await opened.clickMs());
  const clickTo = (what: "first" | "whole") =>
    quantile(
      clicks.map((each) => each[what]),
      0.5,
    );
  opened.give(graph.columns);
  const wholeAt: number[] = [];
  const whole = await timeFirstPaints(opened, async () => wholeAt.push(await opened.wholePaintMs()));
  const memory = await opened.memoryBytes();
  const real = largestRealGraph();
  opened.give(real.columns);
  const ofReal = await timeFirstPaints(opened);
  const deep = deepGraph();
  opened.give(deep.columns);
  const ofDeep = await timeFirstPaints(opened);
  const peers = await measurePeers(opened.page, graph.columns, quantile(whole, 0.5));
  const realText = `${real.name} (${real.nodes} nodes, ${real.levels} levels) to first paint, p50`;
  const deepText = `a deep graph (${deep.nodes} nodes, ${deep.levels} levels) to first paint, p50`;
  return [
    { what: "click to first paint, with the server's work, p50", value: clickTo("first"), unit: "ms" },
    { what: "click to the paint of all nodes, p50", value: clickTo("whole"), unit: "ms" },
    { what: "whole tree to first paint, p50", value: quantile(whole, 0.5), unit: "ms", bar: atMost(150) },
    { what: "whole tree to first paint, least", value: Math.min(...whole), unit: "ms" },
    { what: "whole tree to the paint of all its nodes, p50", value: quantile(wholeAt, 0.5), unit: "ms" },
    { what: "memory of the page with the whole tree", value: memory / 1e6, unit: "MB", bar: atMost(80) },
    { what: realText, value: quantile(ofReal, 0.5), unit: "ms", bar: atMost(150) },
    { what: deepText, value: quantile(ofDeep, 0.5), unit: "ms", bar: atMost(150) },
    ...peers,
  ];
}

/** Milliseconds for the 95th percentile of frames; the others change panels too. */
const frameBars: Partial<Record<Motion, number>> = { zoom: 8, pan: 8 };

async function measureFrames(url: string, graph: Big): Promise<Measurement[]> {
  // The replies are replaced: the profile that was sent is not on show.
  await using opened = await GraphPage.open(url, typicalCpuProfiles(1)[0]!.body, unlimited);
  opened.give(graph.columns);
  const measurements = await measureMotions(opened, motions, "", (motion) => frameBars[motion] ?? 16);
  const grid = gridGraph();
  opened.give(grid.columns);
  measurements.push(...(await measureMotions(opened, ["zoom", "pan"], "a grid of 1.6 px boxes: ", () => 12)));
  return measurements;
}

async function measureMotions(
  opened: GraphPage,
  kinds: readonly Motion[],
  prefix: string,
  barOf: (motion: Motion) => number,
): Promise<Measurement[]> {
  await opened.firstPaintMs();
  await opened.wholePaintMs();
  const measurements: Measurement[] = [];
  for (const motion of kinds) {
    const times = await frameTimes(opened.page, motion);
    measurements.push(
      { what: `${prefix}frame of ${motion}, p50`, value: quantile(times, 0.5), unit: "ms" },
      {
        what: `${prefix}frame of ${motion}, p95`,
        value: quantile(times, 0.95),
        unit: "ms",
        bar: atMost(barOf(motion)),
      },
    );
  }
  return measurements;
}

async function timeFirstPaints(opened: GraphPage, afterEach?: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < firstPaints; round++) {
    times.push(await opened.firstPaintMs());
    await afterEach?.();
  }
  return times;
}
