// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { profilesOf } from "./service-header.tsx";

it("counts profiles without batches of HTTP metrics", () => {
  expect(profilesOf({ cpu: 96, wall: 4, metrics: 289 })).toBe(100);
  expect(profilesOf({ metrics: 3 })).toBe(0);
  expect(profilesOf(undefined)).toBe(0);
});
