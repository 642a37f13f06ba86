import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { ProfileType } from "@flamekeep/contract";
import { defaultLimits, profileTypeOf, readProfile } from "@flamekeep/profile";
import { inflatedRecording, recordedProfiles } from "@flamekeep/profile/testing/recordings";
import { describe, expect, it } from "vitest";
import type { Finding } from "./finding.ts";
import { runRules } from "./run/run-rules.ts";
import { type Subject, subjectOf } from "./subject.ts";

const shop = new URL("../../../../../../examples/shop/recorded/", import.meta.url);
const shopTypes: readonly ProfileType[] = ["cpu", "memory", "goroutine", "mutex", "block"];

function subjectOfBytes(bytes: Uint8Array, type?: ProfileType): Subject {
  const read = readProfile(bytes, defaultLimits);
  if (!read.ok) throw new Error(read.error.message);
  return subjectOf(read.profile, type ?? profileTypeOf(read.profile));
}

function shopSubject(path: string, type: ProfileType): Subject {
  return subjectOfBytes(new Uint8Array(gunzipSync(readFileSync(new URL(path, shop)))), type);
}

/** Rules, with the first function, that most of eight recorded windows show. */
function foundInWindows(service: string, type: ProfileType): string[] {
  const counts = new Map<string, number>();
  const windows = readdirSync(new URL(`${service}/before/`, shop)).filter((name) => name.startsWith(type));
  for (const window of windows) {
    for (const { rule, functions } of runRules(shopSubject(`${service}/before/${window}`, type))) {
      const key = `${rule} ${functions[0]?.name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count > windows.length / 2).map(([key]) => key);
}

/** Checks that hold for every finding, whatever the profile. */
function check(findings: readonly Finding[], subject: Subject): void {
  for (const { rule, confidence, share, saving, functions, path, issue, impact, solution } of findings) {
    expect(share, rule).toBeGreaterThan(0);
    expect(share, rule).toBeLessThanOrEqual(1 + 1e-9);
    expect(saving, rule).toBeLessThanOrEqual(share);
    expect(confidence, rule).toBeGreaterThan(0);
    expect(confidence, rule).toBeLessThanOrEqual(1);
    expect(functions.length, rule).toBeGreaterThan(0);
    for (const { name } of functions) expect(subject.index.names, rule).toContain(name);
    for (const name of path) expect(subject.index.names, rule).toContain(name);
    expect(issue, rule).toMatch(/^[^\n]+: [^\n]+[^.\n]$/);
    expect(issue.length, issue).toBeLessThanOrEqual(110);
    for (const text of [impact, solution]) expect(text, rule).toMatch(/^[^\n]*[a-zA-Z`][^\n]*\.$/);
    expect(`${issue} ${impact} ${solution}`, rule).not.toMatch(/undefined|NaN|Infinity|\[object/);
  }
}

describe("the example shop", () => {
  it("compiles regular expressions for each hit of a search", () => {
    expect(foundInWindows("search", "cpu")).toContain("regexp-compile shop/internal/search.highlight");
  });

  it("computes hashes for the seal of each quote", () => {
    const finding = runRules(shopSubject("checkout/before/cpu-03.pb.gz", "cpu"))[0];
    expect(finding).toMatchObject({ rule: "hashing", priority: "high" });
    expect(finding!.functions[0]!.name).toBe("shop/internal/pricing.(*Book).seal");
  });

  it("sorts the catalog by reflection and encodes JSON", () => {
    const found = foundInWindows("catalog", "cpu");
    expect(found.some((key) => key.startsWith("json-reflection"))).toBe(true);
    expect(found.some((key) => key.startsWith("sort-with-reflection"))).toBe(true);
  });

  it("executes templates and hashes passwords in its gateway", () => {
    const found = foundInWindows("gateway", "cpu").map((key) => key.split(" ")[0]);
    expect(found).toEqual(expect.arrayContaining(["template-execution", "password-hashing"]));
  });
});

describe("every recorded profile", () => {
  const files = recordedProfiles().map(({ file }) => file);

  it.each(files)("%s has findings whose functions, shares and texts hold", (file) => {
    const subject = subjectOfBytes(inflatedRecording(file)!);
    check(runRules(subject), subject);
  });

  it.each(shopTypes)("of the shop, type %s, too", (type) => {
    for (const service of ["checkout", "catalog", "search", "gateway"]) {
      const subject = shopSubject(`${service}/before/${type}-04.pb.gz`, type);
      check(runRules(subject), subject);
    }
  });
});
