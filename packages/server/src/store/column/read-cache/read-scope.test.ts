import { expect, it } from "vitest";
import { scopeOf } from "./read-scope.ts";

const orgId = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const [ten, twelve] = [at("10:00:00") / 1000, at("12:00:00") / 1000];

it.each([
  ["times", { from: new Date(at("10:20:00")), to: new Date(at("12:20:00")) }],
  ["seconds", { fromSeconds: at("10:20:00") / 1000, toSeconds: at("12:20:00") / 1000 }],
  ["milliseconds", { fromMs: at("10:20:00"), toMs: at("12:00:00.001") }],
  ["hours", { hours: [twelve, ten] }],
  [
    "times, whatever the hours",
    { from: new Date(at("10:00:00")), to: new Date(at("13:00:00")), hours: [ten] },
  ],
])("reads the hours of a range in %s", (_, range) => {
  expect(scopeOf({ orgId, service: "api", ...range })).toEqual({
    orgId,
    service: "api",
    firstHour: ten,
    lastHour: twelve,
  });
});

it("does not read the hour that begins when the range ends", () => {
  const range = { from: new Date(at("10:00:00")), to: new Date(at("13:00:00")) };
  expect(scopeOf({ orgId, ...range })?.lastHour).toBe(twelve);
});

it("reads all services and all of the time if parameters do not limit them", () => {
  expect(scopeOf({ orgId, service: "", hours: [] })).toEqual({ orgId });
});

it("is unknown for several organizations", () => {
  expect(scopeOf({ orgIds: [orgId] })).toBeUndefined();
});
