import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  defaultLimits,
  mergeStacks,
  pairStacks,
  readProfile,
  type StackTable,
  sumStacks,
} from "@flamekeep/profile";
import { corpus } from "@flamekeep/profile/testing/corpus";
import { inflatedRecording, recordedProfiles } from "@flamekeep/profile/testing/recordings";
import { describe, expect, it } from "vitest";
import { buildCallTree, buildComparison } from "#tree/build-call-tree.ts";
import type { CallTree } from "#tree/call-tree.ts";
import { pruneTree } from "#tree/prune.ts";
import { decodeFlameGraph } from "#wire/decode.ts";
import { encodeFlameGraph } from "#wire/encode.ts";
import { packageColour } from "./package-colour.ts";
import { nodeColours } from "./scheme.ts";

function read(bytes: Uint8Array | null): StackTable | undefined {
  const result = bytes === null ? undefined : readProfile(bytes, defaultLimits);
  return result?.ok ? sumStacks(result.profile) : undefined;
}

/** Null if the gzip is damaged. */
function inflated(bytes: Uint8Array): Uint8Array | null {
  try {
    return new Uint8Array(gunzipSync(bytes));
  } catch {
    return null;
  }
}

/** The colour of each package of a picture, by drawn frame. */
function coloursOf(tree: CallTree): Map<string, number> {
  const colourOf = nodeColours(tree, "package");
  const colours = new Map<string, number>();
  for (let node = 1; node < tree.length; node++) {
    const name = tree.functions.packageName[tree.fn[node]!]!;
    const colour = colourOf(node);
    if ((colours.get(name) ?? colour) !== colour) throw new Error(`${name} has two colours in one picture`);
    colours.set(name, colour);
  }
  return colours;
}

/** A package that is own code of one program and a dependency of another has one hue in two saturations. */
function hueOf(name: string, colour: number): number {
  const [own, library] = [packageColour(name, "own"), packageColour(name, "library")];
  return colour === library ? own : colour;
}

/** Packages with different colours in pictures: `NAME: 3, 55`. */
function disagreements(pictures: readonly ReadonlyMap<string, number>[]): string[] {
  const all = new Map<string, Set<number>>();
  for (const [name, colour] of pictures.flatMap((picture) => [...picture]))
    all.set(name, (all.get(name) ?? new Set()).add(colour));
  return [...all]
    .filter(([, colours]) => colours.size > 1)
    .map(([name, colours]) => `${name}: ${[...colours]}`);
}

describe("the colours of packages in recorded profiles", () => {
  const folders = Map.groupBy(
    recordedProfiles().filter(({ file }) => /^go1/.test(file)),
    ({ file }) => file.slice(0, file.lastIndexOf("/")),
  );

  it("agree in two profiles, their range, their comparison, parts and files of them", () => {
    const pictures: Map<string, number>[] = [];
    let services = 0;
    for (const files of folders.values()) {
      const tables = files.flatMap(({ file }) => read(inflatedRecording(file)) ?? []);
      const [first, second] = tables.filter(({ sampleTypes }) =>
        sampleTypes.some(({ type }) => type === "cpu"),
      );
      if (first === undefined || second === undefined) continue;
      const column = (stacks: StackTable) => ({
        stacks,
        sampleType: stacks.sampleTypes.findIndex(({ type }) => type === "cpu"),
      });
      const whole = buildCallTree(mergeStacks([first, second]), column(first).sampleType);
      const comparison = buildComparison(pairStacks(column(first), column(second)));
      const meta = { profileId: "p", totalSamples: 0, durationMs: 0, profileHash: "h" };
      const trees = [
        ...tables.map((stacks) => buildCallTree(stacks, 0)),
        whole,
        comparison,
        pruneTree(whole, { maxNodes: 40 }),
        decodeFlameGraph(encodeFlameGraph(whole, meta)).tree,
      ];
      pictures.push(...trees.map(coloursOf));
      services++;
    }
    expect(services).toBeGreaterThan(1);
    expect(pictures.length).toBeGreaterThan(40);
    expect(disagreements(pictures)).toEqual([]);
  });
});

describe.skipIf(!existsSync(corpus))("the colours of packages in profiles of other programs", () => {
  it("have one hue each, whatever the program is", () => {
    const pictures: Map<string, number>[] = [];
    const folder = new URL("open/", corpus);
    for (const file of readdirSync(folder).sort()) {
      const bytes = readFileSync(new URL(encodeURIComponent(file), folder));
      if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) continue;
      const stacks = read(inflated(bytes));
      if (stacks === undefined || stacks.sampleTypes.length === 0 || stacks.length > 20_000) continue;
      pictures.push(coloursOf(buildCallTree(stacks, 0)));
    }
    console.info(`compared the colours of packages in ${pictures.length} profiles`);
    expect(pictures.length).toBeGreaterThan(40);
    const hues = pictures.map(
      (colours) => new Map(Array.from(colours, ([name, colour]) => [name, hueOf(name, colour)])),
    );
    expect(disagreements(hues)).toEqual([]);
  });
});
