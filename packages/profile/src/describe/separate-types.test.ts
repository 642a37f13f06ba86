import {
  displayTypeOf,
  findSampleType,
  profileTypeEntry,
  typeAliases,
} from "@flamekeep/contract/profile-types";
import { describe, expect, it } from "vitest";
import { measuresByType, profileTypeOf } from "./profile-type.ts";

function content(sampleTypes: string) {
  return {
    sampleTypes: sampleTypes
      .split(" ")
      .map((name) => ({ type: name.split("/")[0], unit: name.split("/")[1] })),
  };
}

/** As Node.js, Pyroscope for Java, Datadog and fgprof send wall time, and eBPF profilers the time off the CPU. */
describe.each([
  ["sample/count wall/microseconds", "wall", "wall/microseconds"],
  ["samples/count wall/nanoseconds", "wall", "wall/nanoseconds"],
  ["wall-samples/count wall-time/nanoseconds", "wall", "wall/nanoseconds"],
  ["off_cpu/nanoseconds", "off_cpu", "off_cpu/nanoseconds"],
  ["samples/count off-cpu/nanoseconds", "off_cpu", "off_cpu/nanoseconds"],
  ["offcpu-time/nanoseconds", "off_cpu", "off_cpu/nanoseconds"],
] as const)("%s", (sampleTypes, display, main) => {
  it(`is custom for calls, and ${display} for people`, () => {
    const profile = content(sampleTypes);
    expect(profileTypeOf(profile)).toBe("custom");
    expect(profileTypeOf({ ...profile, defaultSampleType: profile.sampleTypes.at(-1)!.type })).toBe("custom");
    const stored = measuresByType(profile)
      .get("custom")!
      .map(({ sampleType: { type, unit } }) => `${type}/${unit}`);
    expect(stored).toContain(main);
    expect(measuresByType(profile).size).toBe(1);
    expect(displayTypeOf("custom", stored)).toBe(display);
    expect(typeAliases[display]).toBe("custom");
  });
});

it("recognizes fgprof by its period", () => {
  const fgprof = {
    ...content("samples/count time/nanoseconds"),
    periodType: { type: "wallclock", unit: "nanoseconds" },
  };
  expect(
    measuresByType({ ...fgprof, period: 1n })
      .get("custom")
      ?.at(-1)?.sampleType.type,
  ).toBe("wall");
});

it("does not take the period of an off-CPU profile for CPU time", () => {
  const profile = {
    ...content("off_cpu/nanoseconds samples/count"),
    periodType: { type: "off_cpu", unit: "nanoseconds" },
  };
  expect([...measuresByType({ ...profile, period: 10_000_000n }).keys()]).toEqual(["custom"]);
});

it("shows a profile that has both as wall time", () => {
  expect(displayTypeOf("custom", ["off_cpu/nanoseconds", "wall/nanoseconds"])).toBe("wall");
});

it("names the time off the CPU in headings, tabs, sentences and graphs", () => {
  const { label, name, reading } = profileTypeEntry("off_cpu");
  expect([label, name]).toEqual(["Off-CPU time", "off-CPU time"]);
  expect(reading({ sampleType: "off_cpu", value: "2 s", over: "in 10 s", cores: undefined })).toBe(
    "2 s off the CPU in all threads in 10 s, grouped by the code that waited",
  );
  expect(findSampleType("off_cpu")).toMatchObject({ label: "Off-CPU time", share: "off-CPU time" });
});
