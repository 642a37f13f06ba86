// @vitest-environment happy-dom
import { type AlertDigest, type AlertSettings, updateAlertDigest } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { noChannels } from "#testing/alerts.ts";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { DigestForm } from "./digest.tsx";

const settings: AlertSettings = {
  ...noChannels,
  slack: { is_set: true, origin: "https://hooks.slack.com" },
  pagerduty: { is_set: true, region: "us" },
};
const stored: AlertDigest = {
  frequency: "daily",
  hour_utc: 7,
  weekday: "monday",
  channels: ["email"],
  is_sent_when_empty: false,
  next_at: "2026-11-21T07:00:00.000Z",
  last: null,
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

it("saves the chosen channels, and warns while none of them is set up", async () => {
  const saved = Promise.withResolvers<void>();
  server.on(updateAlertDigest, () => {
    saved.resolve();
    return replyWith(updateAlertDigest, { ...stored, channels: ["slack"] });
  });
  renderWithQueries(<DigestForm stored={stored} settings={settings} />);
  expect(screen.getByText(/Choose a channel that is set up/)).toBeTruthy();
  expect(screen.queryByLabelText(/PagerDuty/)).toBeNull();
  fireEvent.click(screen.getByLabelText("Email (not set up)"));
  fireEvent.click(screen.getByLabelText("Slack"));
  fireEvent.click(screen.getByLabelText(/Also send when there are no incidents/));
  expect(screen.queryByText(/Choose a channel/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await saved.promise;
  expect(server.callsOf(updateAlertDigest).map(({ body }) => body)).toEqual([
    {
      frequency: "daily",
      hour_utc: 7,
      weekday: "monday",
      channels: ["slack"],
      is_sent_when_empty: true,
    },
  ]);
});
