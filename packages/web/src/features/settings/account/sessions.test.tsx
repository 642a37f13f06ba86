// @vitest-environment happy-dom
import type { AccountSession } from "@flamekeep/contract";
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { SessionRow } from "./sessions.tsx";

const session: AccountSession = {
  id: "d5c0a7e4-1f0b-4c55-9a57-3d0b7be0a1c9",
  device: "Tests on Linux",
  device_kind: "computer",
  address: "203.0.113.7",
  place: "internet",
  created_at: "2025-03-04T10:42:00.000Z",
  last_used_at: "2025-03-04T11:00:00.000Z",
  is_current: false,
};

it.each([
  ["computer", "monitor"],
  ["phone", "smartphone"],
  ["program", "terminal"],
  ["unknown", "globe"],
] as const)("has the icon of its kind of device, whatever its name is: %s", (device_kind, icon) => {
  const { container } = render(<SessionRow session={{ ...session, device_kind }} onEnd={() => {}} />);
  expect(container.querySelector("svg")?.classList.contains(`lucide-${icon}`)).toBe(true);
});

it("says at what time of day somebody signed in", () => {
  const { container } = render(<SessionRow session={session} onEnd={() => {}} />);
  expect(container.querySelector("time")?.textContent).toMatch(/^Mar \d, 2025, \d\d:42$/);
});
