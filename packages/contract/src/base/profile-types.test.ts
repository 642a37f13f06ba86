import { expect, it } from "vitest";
import { SentProfileType } from "./profile-type-schemas.ts";
import { displayTypeOf, displayTypes, profileTabs, profileTypes, typeAliases } from "./profile-types.ts";

it("gives the lists of types that calls have", () => {
  expect({ profileTypes, displayTypes, profileTabs, sent: SentProfileType.options }).toMatchInlineSnapshot(`
    {
      "displayTypes": [
        "cpu",
        "memory",
        "goroutine",
        "goroutine_leak",
        "mutex",
        "block",
        "custom",
        "metrics",
        "wall",
      ],
      "profileTabs": [
        "all",
        "cpu",
        "memory",
        "goroutine",
        "goroutine_leak",
        "mutex",
        "block",
        "custom",
        "wall",
      ],
      "profileTypes": [
        "cpu",
        "memory",
        "goroutine",
        "goroutine_leak",
        "mutex",
        "block",
        "custom",
      ],
      "sent": [
        "cpu",
        "memory",
        "goroutine",
        "goroutine_leak",
        "mutex",
        "block",
        "custom",
        "heap",
        "allocs",
        "profile",
        "goroutineleak",
        "threadcreate",
        "wall",
      ],
    }
  `);
  expect(typeAliases).toMatchInlineSnapshot(`
    {
      "allocs": "memory",
      "goroutineleak": "goroutine_leak",
      "heap": "memory",
      "profile": "cpu",
      "threadcreate": "custom",
      "wall": "custom",
    }
  `);
  expect(SentProfileType.meta()?.description).toMatchInlineSnapshot(
    `"Kind of profile. Names of Go's endpoints mean the kind that they serve: \`heap\` and \`allocs\` memory, \`profile\` cpu, \`goroutineleak\` goroutine_leak, \`threadcreate\` custom. \`wall\` is a wall-clock profile, which is filed under custom. Taken from the content when absent; refused where the content is something else."`,
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
