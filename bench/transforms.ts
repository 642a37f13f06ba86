import process from "node:process";
import { buildCallTree, type CallTree, functionTotals, sortedFunctions } from "@flamekeep/flame";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { chainOf, chainText, sandwichTree, type Target, transformTree } from "@flamekeep/flame/transform";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

const rounds = 15;

/**
 * Each transform of a call tree of a million nodes, as the browser applies them: CPU of the thread, which on a machine without other work is
 * the time that the page waits.
 */
export async function benchTransforms(): Promise<BenchResult> {
  const tree = buildCallTree(syntheticStacks({ stacks: 180_000, depth: 77, names: 20_000 }), 0);
  const measurements = chainsFor(tree).map(({ what, run }): Measurement => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = process.threadCpuUsage();
      const { length } = run();
      const { user, system } = process.threadCpuUsage(before);
      times.push((user + system) / 1000);
      if (length < 2) throw new Error(`${what} leaves nothing`);
    }
    return { what: `${what}, CPU, p50`, value: quantile(times, 0.5), unit: "ms", bar: atMost(150) };
  });
  return {
    name: "transforms",
    input: `a call tree of ${tree.length} nodes, ${rounds} times each`,
    measurements,
  };
}

function chainsFor(tree: CallTree): { readonly what: string; readonly run: () => CallTree }[] {
  const { name, packageName } = tree.functions;
  const widest = sortedFunctions(tree, [functionTotals(tree)], { value: "total", of: 0 }, true)[0]!;
  const target: Target = { by: "function", text: name[widest]! };
  const texts = [
    ...(["focus", "ignore", "hide"] as const).map((each) => chainText([{ name: each, target }])),
    `hide-package:${packageName[widest]}`,
    "show-search:svc1",
    "hide-search:Method1",
    "collapse",
    chainText([{ name: "collapse", target }]),
    "invert",
  ];
  return [
    ...texts.map((text) => ({
      what: text.length > 40 ? `${text.slice(0, text.indexOf(":"))}, of the widest function` : text,
      run: () => transformTree(tree, chainOf(text)),
    })),
    { what: "sandwich of the widest function", run: () => sandwichTree(tree, target).callers },
  ];
}
