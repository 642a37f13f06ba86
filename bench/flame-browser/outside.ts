import { gzipSync, zstdCompressSync } from "node:zlib";
import { decodeFlameGraph, hitAt, searchSteps } from "@flamekeep/flame";
import { atMost, type Measurement, quantile } from "#result";
import type { BigGraph } from "./graphs.ts";

const rounds = 15;
const hitsPerRound = 10_000;

/** Size of the graph on the way to the page, and what is computed from all of its nodes, without a page. */
export function measureOutside({ columns }: BigGraph): Measurement[] {
  const { tree } = decodeFlameGraph(columns);
  const searches: number[] = [];
  const hits: number[] = [];
  let frames = 0;
  for (let round = 0; round < rounds; round++) {
    searches.push(
      timeOf(() => {
        const steps = searchSteps(tree, "Method1999");
        while (steps.next().done !== true);
      }),
    );
    const ms = timeOf(() => {
      for (let at = 0; at < hitsPerRound; at++) {
        const value = (tree.width[0]! * at) / hitsPerRound;
        if (hitAt(tree, value, at % tree.levelStart.length)?.kind === "frame") frames++;
      }
    });
    hits.push(ms / hitsPerRound);
  }
  if (frames === 0) throw new Error("no point was in a frame");
  return [
    { what: "whole tree, gzip", value: gzipSync(columns).length / 1e6, unit: "MB", bar: atMost(3, true) },
    { what: "whole tree, zstd", value: zstdCompressSync(columns).length / 1e6, unit: "MB" },
    { what: "search of all nodes, p50", value: quantile(searches, 0.5), unit: "ms", bar: atMost(40) },
    { what: "frame at a point, p50", value: quantile(hits, 0.5), unit: "ms", bar: atMost(0.05) },
  ];
}

function timeOf(run: () => void): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}
