import { expect, test } from "vitest";
import { dayOf as dayOfId } from "#store/profiles/profile-id.ts";
import { profileIdOf } from "./profile-id.ts";

const identity = {
  orgId: "6f1c0a52-5a35-4d0e-9c2a-7f1b8f7d2c11",
  service: "checkout",
  type: "cpu",
  startedAtMs: Date.UTC(2026, 10, 20, 23, 59, 59, 999),
  contentHash: "ab".repeat(32),
};

test("the same upload has the same id, and the id names its day", () => {
  const id = profileIdOf(identity);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(profileIdOf({ ...identity })).toBe(id);
  expect(dayOfId(id)).toBe("2026-11-20");
});

test("any other difference makes another id", () => {
  const changes = [
    { orgId: "other" },
    { service: "checkou" },
    { type: "tcpu" },
    { startedAtMs: identity.startedAtMs - 1 },
    { contentHash: "ac".repeat(32) },
  ];
  const ids = new Set(changes.map((change) => profileIdOf({ ...identity, ...change })));
  expect(ids.size).toBe(changes.length);
  expect(ids.has(profileIdOf(identity))).toBe(false);
});
