import type { Project } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { addressOf, servicesOf, trendOf } from "./model.ts";

const checkout: Project = {
  id: "checkout",
  name: "Till",
  description: "Service: checkout",
  status: "active",
  tags: ["payments", "go"],
  services: [],
  member_count: 0,
  profile_count: 1200,
  created_at: "2026-08-22T12:00:00.000Z",
  last_activity: "2026-11-20T12:00:00.000Z",
  is_derived: true,
};
const billing: Project = {
  ...checkout,
  id: "5f0c1b5e-54a0-4a6e-9d0a-0f0b6f1f2a11",
  name: "Billing",
  description: "",
  status: "archived",
  tags: [],
  member_count: 1,
  profile_count: 3,
  is_derived: false,
};
const both = [checkout, billing];

const group: Project = { ...billing, name: "checkout", services: ["checkout", "cart", "later"] };

it("addresses a derived project and a group by id, other projects by the name of their service", () => {
  expect([...both, group].map(addressOf)).toEqual(["checkout", "Billing", group.id]);
  expect([...both, group].map(servicesOf)).toEqual([["checkout"], ["Billing"], group.services]);
});

it("adds up the CPU and alerts of a group, and shows those of the service of any other project", () => {
  const trend = (name: string, current: number, alerts: number) => ({
    name,
    health: alerts > 0 ? ("warning" as const) : ("healthy" as const),
    silent_since: null,
    open_alerts: alerts,
    worst_alert: null,
    cpu: { points: [current, null], current, previous: null },
  });
  const trends = new Map(
    [trend("checkout", 0.5, 1), trend("cart", 0.25, 2)].map((each) => [each.name, each]),
  );
  expect(trendOf(checkout, trends)).toBe(trends.get("checkout"));
  expect(trendOf(billing, trends)).toBeUndefined();
  expect(trendOf(group, trends)).toEqual({
    ...trend("checkout", 0.75, 3),
    cpu: { points: [0.75, null], current: 0.75, previous: null },
    compared: { current: null, previous: null },
  });
  expect(trendOf({ ...group, services: ["later"] }, trends)).toBeUndefined();
});
