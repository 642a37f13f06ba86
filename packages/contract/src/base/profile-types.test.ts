import { expect, it } from "vitest";
import { SentProfileType } from "./profile-type-schemas.ts";
import {
  displayTypeOf,
  displayTypes,
  profileTabs,
  profileTypes,
  separateTypes,
  storedTypes,
  typeAliases,
} from "./profile-types.ts";

it("has the seven types of the API, and more names for people", () => {
  expect(profileTypes.join(" ")).toBe("cpu memory goroutine goroutine_leak mutex block custom");
  expect(storedTypes).toEqual([...profileTypes, "metrics"]);
  expect(separateTypes).toContain("wall");
  expect(displayTypes).toEqual([...storedTypes, ...separateTypes]);
  expect(profileTabs).toEqual(["all", ...profileTypes, ...separateTypes]);
  expect(SentProfileType.options).toEqual([...profileTypes, ...Object.keys(typeAliases)]);
});

it("files the other names of senders", () => {
  const separate = separateTypes.map((type) => [type, "custom"]);
  expect(typeAliases).toEqual({
    heap: "memory",
    allocs: "memory",
    profile: "cpu",
    goroutineleak: "goroutine_leak",
    threadcreate: "custom",
    ...Object.fromEntries(separate),
  });
  expect(SentProfileType.meta()?.description).toMatch(
    "Kind of profile. Names of Go's endpoints mean their kind: `heap` and `allocs` memory, `profile` cpu, `goroutineleak` goroutine_leak, `threadcreate` custom. `wall` is a wall-clock profile, which is filed under custom.",
  );
});

it.each([
  ["custom", ["samples/count", "wall/nanoseconds"], "wall"],
  ["custom", ["wall"], "wall"],
  ["custom", ["wallet/count", "shop/wall/count"], "custom"],
  ["cpu", ["wall/nanoseconds"], "cpu"],
] as const)("shows %s profiles of %j as %s", (type, sampleTypes, expected) => {
  expect(displayTypeOf(type, sampleTypes)).toBe(expected);
});
