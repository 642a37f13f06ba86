// @vitest-environment happy-dom
import { type Alert, acknowledgeAlert, expectAlert } from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { cpuAlert as alert, openedAt } from "#testing/alerts.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ToastHost } from "../app.tsx";
import { HandlingBadge } from "./handling-badge.tsx";
import { HandlingMenu } from "./handling-menu.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const acknowledged = { by: "Ada Lovelace", at: openedAt };

function renderMenu(shown: Alert) {
  renderWithQueries(
    <>
      <HandlingMenu alert={shown} />
      <HandlingBadge alert={shown} />
      <ToastHost />
    </>,
  );
}

async function choose(item: string) {
  fireEvent.click(screen.getByRole("button", { name: "Handle the CPU alert of checkout" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: item }));
}

it("an alert is acknowledged", async () => {
  const server = new FakeServer();
  server.on(acknowledgeAlert, () => replyWith(acknowledgeAlert, { alert: { ...alert, acknowledged } }));
  renderMenu(alert);
  await choose("Acknowledge");
  await screen.findByText("CPU alert of checkout acknowledged");
  expect(server.callsOf(acknowledgeAlert).map(({ body }) => body)).toEqual([{ is_acknowledged: true }]);
});

it("an acknowledged alert names who works on it, and can be taken back", async () => {
  const server = new FakeServer();
  server.on(acknowledgeAlert, () => failWith("forbidden", "Viewers cannot change anything"));
  renderMenu({ ...alert, acknowledged });
  screen.getByText("Ada Lovelace");
  await choose("Remove acknowledgement");
  await screen.findByText("Nothing was changed. Viewers cannot change anything");
  expect(server.callsOf(acknowledgeAlert).map(({ body }) => body)).toEqual([{ is_acknowledged: false }]);
});

it("an alert is marked as expected after a confirmation, which stays open if it fails", async () => {
  const server = new FakeServer();
  server.on(expectAlert, () => failWith("unprocessable", "The alert is resolved already"));
  renderMenu(alert);
  await choose("Mark as expected...");
  await screen.findByText(/CPU of checkout is up 100/);
  fireEvent.click(screen.getByRole("button", { name: "Mark as expected" }));
  expect((await screen.findByRole("alert")).textContent).toBe("The alert is resolved already");
  const expected = { ...alert, status: "resolved", resolved_at: openedAt, expected: acknowledged } as const;
  server.on(expectAlert, () => replyWith(expectAlert, { alert: expected }));
  fireEvent.click(screen.getByRole("button", { name: "Mark as expected" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.callsOf(expectAlert)).toHaveLength(2);
});

it("an alert of a rule is not marked as expected: its rule is changed instead", async () => {
  const rule = {
    id: alert.id,
    name: "Busy",
    condition: "above 1 core",
    comparison: "above",
    threshold: 1e9,
    minutes: 10,
    tags: {},
  } as const;
  new FakeServer();
  renderMenu({ ...alert, rule });
  fireEvent.click(screen.getByRole("button", { name: "Handle the CPU alert of checkout" }));
  await screen.findByRole("menuitem", { name: "Acknowledge" });
  expect(screen.queryByRole("menuitem", { name: "Mark as expected..." })).toBeNull();
});

it("a resolved alert offers nothing", () => {
  renderMenu({ ...alert, status: "resolved", resolved_at: openedAt });
  expect(screen.queryByRole("button", { name: /^Handle/ })).toBeNull();
});

it("an alert that was expected says so, and that can be taken back", async () => {
  const resolved = { ...alert, status: "resolved", resolved_at: openedAt } as const;
  const server = new FakeServer();
  server.on(expectAlert, () => replyWith(expectAlert, { alert: resolved }));
  renderMenu({ ...resolved, expected: { by: null, at: openedAt } });
  expect(screen.getByText("Expected").title).toMatch(/^Marked as expected by a former member, .*2026/);
  await choose("No longer expected");
  await screen.findByText("CPU of checkout is compared with its old baseline again");
  expect(server.callsOf(expectAlert).map(({ body }) => body)).toEqual([{ is_expected: false }]);
});
