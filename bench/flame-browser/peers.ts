import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "@flamekeep/e2e/browser";
import { type CallTree, decodeFlameGraph } from "@flamekeep/flame";
import { type Measurement, quantile } from "#result";

/** Others' flame graphs are no dependencies of ours: they are installed when they are measured. */
const folder = fileURLToPath(new URL("../../.cache/bench-peers/", import.meta.url));
const d3 = "d3-flame-graph@5.0.0";
const grafana = "@grafana/flamegraph@13.0.1";
const rounds = 5;

/**
 * The same tree in `d3-flame-graph`, from its objects to the first paint, and in the data layer of `@grafana/flamegraph`, from its columns to its
 * levels. Parsing of their JSON is not included: both are given objects.
 */
export async function measurePeers(page: Page, columns: Uint8Array, oursMs: number): Promise<Measurement[]> {
  if (!isInstalled()) {
    process.stderr.write(`  ${d3} and ${grafana} are not measured: they could not be installed\n`);
    return [];
  }
  const { tree } = decodeFlameGraph(columns);
  const layout = await timeGrafana(tree);
  const paint = await timeD3(page, tree);
  const decoding = timesOf(rounds, () => void decodeFlameGraph(columns));
  return [
    { what: `${d3}, objects to first paint, p50`, value: paint, unit: "ms" },
    { what: `${d3}, times our bytes to first paint`, value: paint / oursMs, unit: "" },
    { what: `${grafana}, data frame to levels, p50`, value: layout, unit: "ms" },
    { what: `${grafana}, times our decoding and layout`, value: layout / quantile(decoding, 0.5), unit: "" },
  ];
}

function isInstalled(): boolean {
  if (existsSync(`${folder}package/package.json`)) return true;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{ "private": true }\n');
  const npm = (...args: string[]) =>
    spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
  const switches = ["--no-audit", "--no-fund", "--ignore-scripts"];
  // Without the packages that Grafana's depends on: its data layer needs three functions of them, which do nothing here.
  const steps = [npm("install", ...switches, d3, "d3-selection@3", "lodash@4"), npm("pack", grafana)];
  const archive = steps[1]!.stdout.trim();
  if (steps.some(({ status }) => status !== 0) || archive === "") return false;
  return spawnSync("tar", ["xzf", archive], { cwd: folder }).status === 0;
}

/** The part of Grafana's data layer that is measured. */
interface GrafanaModule {
  readonly FlameGraphDataContainer: new (frame: object, options: object) => object;
  readonly nestedSetToLevels: (container: object, options: object) => unknown[][];
}

const displayStub =
  "export const FieldType = { string: 'string', number: 'number', enum: 'enum' }; export const getDisplayProcessor = () => undefined; export const createTheme = () => undefined;";

async function timeGrafana(tree: CallTree): Promise<number> {
  const stubUrl = `data:text/javascript,${encodeURIComponent(displayStub)}`;
  const lodashUrl = pathToFileURL(`${folder}lodash.mjs`).href;
  writeFileSync(
    `${folder}lodash.mjs`,
    'import lodash from "lodash/lodash.js";\nexport const { groupBy } = lodash;\n',
  );
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === "@grafana/data") return { url: stubUrl, shortCircuit: true };
      // A bundler finds its named exports; Node does not.
      return specifier === "lodash" ? { url: lodashUrl, shortCircuit: true } : next(specifier, context);
    },
  });
  const path = `${folder}package/dist/esm/FlameGraph/dataTransform.mjs`;
  const module = (await import(path)) as GrafanaModule;
  hooks.deregister();
  const frame = dataFrameOf(tree);
  const times = timesOf(rounds, () => {
    const options = { collapsing: true };
    const levels = module.nestedSetToLevels(new module.FlameGraphDataContainer(frame, options), options)[0];
    if (levels?.length !== tree.levelStart.length - 1) throw new Error("Grafana's layout has other levels");
  });
  return quantile(times, 0.5);
}

/** Nodes in depth-first order, as Grafana's data sources answer. */
function dataFrameOf(tree: CallTree) {
  const label: string[] = [];
  const level: number[] = [];
  const value: number[] = [];
  const self: number[] = [];
  const open: [node: number, depth: number][] = [[0, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    label.push(tree.functions.name[tree.fn[node]!]!);
    level.push(depth);
    value.push(tree.total[node]!);
    self.push(tree.self[node]!);
    for (let child = tree.firstChild[node + 1]! - 1; child >= tree.firstChild[node]!; child--)
      open.push([child, depth + 1]);
  }
  const number = { type: "number", config: {} };
  const fields = [
    { name: "label", type: "string", config: {}, values: label },
    { name: "level", ...number, values: level },
    { name: "value", ...number, values: value },
    { name: "self", ...number, values: self },
  ];
  return { length: label.length, fields };
}

const d3Scripts = [
  ...["selection", "format", "array", "color", "interpolate", "time", "time-format", "hierarchy", "scale"],
  ...["ease", "dispatch", "timer", "transition"],
].map((part) => `node_modules/d3-${part}/dist/d3-${part}.min.js`);

async function timeD3(page: Page, tree: CallTree): Promise<number> {
  const context = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 1700, height: 1000 } });
  const blank = await context.newPage();
  await blank.setContent("<!doctype html><div id=chart></div>");
  for (const script of [...d3Scripts, "node_modules/d3-flame-graph/dist/d3-flamegraph.umd.min.js"])
    await blank.addScriptTag({ content: readFileSync(folder + script, "utf8") });
  const { fn, firstChild, total } = tree;
  // As one text of numbers: a nested object of a million nodes is too deep and large to hand over.
  const input = { fn: [...fn], firstChild: [...firstChild], total: [...total], name: tree.functions.name };
  const times: number[] = [];
  await blank.evaluate((given) => Object.assign(window, { given }), input);
  for (let round = 0; round < rounds; round++) times.push(await blank.evaluate(drawWithD3));
  await context.close();
  return quantile(times, 0.5);
}

/** Runs in the page: builds the objects, then times the drawing of them. */
async function drawWithD3(): Promise<number> {
  interface Frame {
    readonly name: string;
    readonly value: number;
    readonly children: Frame[];
  }
  const { given, d3, flamegraph } = window as unknown as {
    readonly given: { fn: number[]; firstChild: number[]; total: number[]; name: string[] };
    readonly d3: { select(selector: string): { datum(data: Frame): { call(draw: unknown): void } } };
    readonly flamegraph: { default: () => { width(px: number): { minFrameSize(px: number): unknown } } };
  };
  const frames = given.fn.map(
    (fn, node): Frame => ({ name: given.name[fn]!, value: given.total[node]!, children: [] }),
  );
  for (const [node, frame] of frames.entries()) {
    for (let child = given.firstChild[node]!; child < given.firstChild[node + 1]!; child++)
      frame.children.push(frames[child]!);
  }
  document.querySelector("#chart")!.replaceChildren();
  const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  await nextFrame();
  const startedAt = performance.now();
  d3.select("#chart").datum(frames[0]!).call(flamegraph.default().width(1600).minFrameSize(1));
  await nextFrame();
  await nextFrame();
  const ms = performance.now() - startedAt;
  if (document.querySelectorAll("#chart g").length < 100) throw new Error("d3-flame-graph drew no frames");
  return ms;
}

function timesOf(count: number, run: () => void): number[] {
  return Array.from({ length: count }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  });
}
