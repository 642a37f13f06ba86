import { describe, expect, it } from "vitest";
import { compared } from "#testing/analyses.ts";
import { isAbout } from "./subject.ts";

const analysed = compared.range!;
const earlier = compared.baseline!;
const subject = { kind: "range", service: "checkout", type: "cpu", tags: {}, range: analysed } as const;
const ofRange = { range: analysed, baseline: null };

describe("an analysis is about a subject", () => {
  it("of the same ranges, to the minute", () => {
    expect(isAbout(compared, { ...subject, baseline: earlier })).toBe(true);
    const near = { from: "2026-11-20T11:00:40.000Z", to: "2026-11-20T11:59:20.000Z" };
    expect(isAbout(ofRange, { ...subject, range: near })).toBe(true);
    const later = { from: "2026-11-20T11:02:00.000Z", to: "2026-11-20T12:02:00.000Z" };
    expect(isAbout(ofRange, { ...subject, range: later })).toBe(false);
  });

  it("of a range up to now of the same length", () => {
    expect(isAbout(ofRange, { ...subject, range: { from: "1h", to: "now" } })).toBe(true);
    expect(isAbout(ofRange, { ...subject, range: { from: "4h", to: "now" } })).toBe(false);
    const changed = { ...subject, range: { from: "1h", to: "now" }, baseline: { from: "120m", to: "1h" } };
    expect(isAbout(compared, changed)).toBe(true);
  });

  it("of a comparison or not", () => {
    expect(isAbout(compared, subject)).toBe(false);
    expect(isAbout(ofRange, { ...subject, baseline: earlier })).toBe(false);
    expect(isAbout({ range: null, baseline: null }, subject)).toBe(false);
  });

  it("with the same tags", () => {
    const tagged = { range: { ...analysed, tags: { region: "eu" } }, baseline: null };
    expect(isAbout(tagged, { ...subject, tags: { region: "eu" } })).toBe(true);
    for (const tags of [{}, { region: "us" }, { region: "eu", version: "2" }])
      expect(isAbout(tagged, { ...subject, tags })).toBe(false);
  });
});
