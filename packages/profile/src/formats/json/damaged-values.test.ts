import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readProfile } from "#read/read-profile.ts";
import { isFullLength } from "../../testing/full-length.ts";
import { firefoxExample, speedscopeExample } from "../../testing/index.ts";

const recorded = (name: string) =>
  gunzipSync(readFileSync(new URL(`../../fixtures/json/${name}.gz`, import.meta.url))).toString();
const trace = JSON.parse(recorded("page.trace.json")) as { traceEvents: unknown[] };

describe("damaged values", () => {
  const originals: readonly (readonly [string, unknown])[] = [
    ["a CPU profile of V8", JSON.parse(recorded("work.cpuprofile"))],
    ["a heap profile of V8", JSON.parse(recorded("work.heapprofile"))],
    ["a trace of Chromium", { ...trace, traceEvents: trace.traceEvents.slice(0, 60) }],
    ["a speedscope file", speedscopeExample],
    ["a Firefox profile", firefoxExample],
  ];
  const others = [
    null,
    -1,
    0,
    1,
    0.5,
    7,
    1e15,
    2 ** 53,
    1e308,
    "",
    "1",
    "__proto__",
    [],
    [[]],
    {},
    { length: 9 },
    true,
  ];
  const rounds = isFullLength ? 20_000 : 300;

  it.each(originals)(`of %s are read or refused with a sentence, in ${rounds} forms`, (_, original) => {
    const text = JSON.stringify(original);
    const random = randomNumbers();
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const json: unknown = JSON.parse(text);
      for (let faults = 1 + random(3); faults > 0; faults--)
        damage(json, others[random(others.length)], random);
      const result = readProfile(Buffer.from(JSON.stringify(json)));
      if (result.ok) continue;
      refused++;
      expect(result.error.message).toMatch(/^[A-Z].{15,}\.$/s);
    }
    expect(refused).toBeGreaterThan(rounds / 50);
    expect(refused).toBeLessThan(rounds);
  });
});

/** Replaces a value at a random place below the whole. */
function damage(json: unknown, other: unknown, random: (below: number) => number): void {
  let at = json as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(at);
    const key = keys[random(keys.length)];
    if (key === undefined) return;
    const value = at[key];
    if (typeof value !== "object" || value === null || random(8) === 0) {
      at[key] = structuredClone(other);
      return;
    }
    at = value as Record<string, unknown>;
  }
}

/** The same numbers in each run. */
function randomNumbers(): (below: number) => number {
  let seed = 11;
  return (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}
