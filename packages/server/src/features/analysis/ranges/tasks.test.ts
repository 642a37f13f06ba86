import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyse } from "./tasks.ts";

const recorded = new URL("../../../../../../examples/shop/recorded/", import.meta.url);
const cpu = { type: "cpu", sampleTypes: undefined } as const;
const original = (path: string) => ({
  ...cpu,
  profileId: path,
  payload: readFileSync(new URL(path, recorded)),
});

describe("a recorded profile of the example shop", () => {
  it("gets the finding that its program is known for, and a digest", () => {
    const task = { original: original("search/before/cpu-03.pb.gz"), facts: {} };
    const { value } = analyse(task);
    expect(value).toMatchObject({ total: 2_180_000_000, sampleType: "cpu" });
    expect(value!.durationNs / 10e9).toBeCloseTo(1, 2);
    const compile = value!.findings.find(({ rule }) => rule === "regexp-compile");
    expect(compile?.functions[0]?.name).toBe("shop/internal/search.highlight");
    expect(value!.digest.topTotal[0]!.name).toMatch(/^(shop|main)/);
    expect(value!.digest.hotPaths[0]!.names.length).toBeGreaterThan(1);
  });

  it("is analysed without a neighbour that is damaged", () => {
    const damaged = { ...cpu, profileId: "damaged", payload: Uint8Array.of(1, 2, 3) };
    const facts = {
      earlier: [{ original: damaged, atMs: 0 }],
      related: [{ ...damaged, type: "memory" as const }],
    };
    const { value } = analyse({ original: original("search/before/cpu-03.pb.gz"), facts });
    expect(value!.findings.length).toBeGreaterThan(0);
  });

  it("reports damage of the profile itself", () => {
    const task = {
      original: { ...cpu, profileId: "p", payload: Uint8Array.of(1, 2, 3) },
      facts: {},
    };
    expect(analyse(task).damage).toMatchObject({ profileId: "p" });
  });
});
