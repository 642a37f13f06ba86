// @vitest-environment happy-dom
import { type AlertSettings, testAlertDelivery, updateAlertSettings } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noChannels } from "#testing/alerts.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ChannelDialog, RemoveChannelDialog } from "./channel-dialog.tsx";
import { ChannelRow } from "./delivery.tsx";

const signed: AlertSettings = {
  ...noChannels,
  webhook: { is_set: true, origin: "https://hooks.example.com", is_signed: true },
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const sent = () => server.callsOf(updateAlertSettings).map(({ body }) => body);

describe("the dialog of a channel", () => {
  it("sends nothing while a field is wrong, and focuses the first one that is", async () => {
    renderWithQueries(<ChannelDialog channel="webhook" settings={noChannels} onClose={() => {}} />);
    const url = await screen.findByLabelText("URL");
    const secret = screen.getByLabelText("Secret (optional)");
    fireEvent.change(url, { target: { value: "https://hooks.example.com/x" } });
    fireEvent.change(secret, { target: { value: "short" } });
    fireEvent.click(button("Save"));
    const summary = await screen.findByRole("alert");
    expect(summary.textContent).toBe("The secret must be at least 16 characters long");
    expect(document.activeElement).toBe(secret);
    expect(sent()).toEqual([]);
  });

  it("keeps what was typed when saving fails, and closes when it succeeds", async () => {
    const closed = Promise.withResolvers<void>();
    server.on(updateAlertSettings, () => failWith("unavailable", "The database is locked"));
    renderWithQueries(<ChannelDialog channel="slack" settings={noChannels} onClose={closed.resolve} />);
    const url = await screen.findByLabelText<HTMLInputElement>("URL");
    fireEvent.change(url, { target: { value: "https://hooks.slack.com/services/T0/B0/x" } });
    fireEvent.click(button("Save"));
    expect((await screen.findByRole("alert")).textContent).toBe("The database is locked");
    expect(url.value).toBe("https://hooks.slack.com/services/T0/B0/x");
    server.on(updateAlertSettings, () => replyWith(updateAlertSettings, noChannels));
    fireEvent.click(button("Save"));
    await closed.promise;
    expect(sent()).toEqual(Array(2).fill({ slack_url: "https://hooks.slack.com/services/T0/B0/x" }));
  });

  it("of PagerDuty sends the key with its region", async () => {
    const closed = Promise.withResolvers<void>();
    server.on(updateAlertSettings, () => replyWith(updateAlertSettings, noChannels));
    renderWithQueries(<ChannelDialog channel="pagerduty" settings={noChannels} onClose={closed.resolve} />);
    const key = await screen.findByLabelText("Integration key");
    fireEvent.click(button("Save"));
    expect((await screen.findByRole("alert")).textContent).toBe("Enter the integration key");
    fireEvent.change(key, { target: { value: " e93facc04764012d7bfb002500d5d1a6 " } });
    fireEvent.click(button("Save"));
    await closed.promise;
    expect(sent()).toEqual([
      { pagerduty_region: "us", pagerduty_routing_key: "e93facc04764012d7bfb002500d5d1a6" },
    ]);
  });

  it("keeps a stored address and deletes its secret on request", async () => {
    const closed = Promise.withResolvers<void>();
    server.on(updateAlertSettings, () => replyWith(updateAlertSettings, noChannels));
    renderWithQueries(<ChannelDialog channel="webhook" settings={signed} onClose={closed.resolve} />);
    fireEvent.click(await screen.findByLabelText("Stop signing and delete the secret"));
    fireEvent.click(button("Save"));
    await closed.promise;
    expect(sent()).toEqual([{ webhook_secret: null }]);
  });
});

it("a channel is removed with its secret after a confirmation that names it", async () => {
  const closed = Promise.withResolvers<void>();
  server.on(updateAlertSettings, () => replyWith(updateAlertSettings, noChannels));
  renderWithQueries(<RemoveChannelDialog channel="webhook" onClose={closed.resolve} />);
  await screen.findByRole("dialog", { name: "Remove the webhook?" });
  fireEvent.click(button("Remove"));
  await closed.promise;
  expect(sent()).toEqual([{ webhook_url: null, webhook_secret: null }]);
});

describe("the test of a channel", () => {
  const row = <ChannelRow channel="webhook" settings={signed} onEdit={() => {}} onRemove={() => {}} />;

  it.each([
    [true, "Answered 200", "Test delivered: Answered 200"],
    [false, "Answered 500", "Test not delivered: Answered 500"],
  ])("reports its outcome: delivered %s", async (delivered, message, text) => {
    server.on(testAlertDelivery, () => replyWith(testAlertDelivery, { delivered, message }));
    renderWithQueries(row);
    fireEvent.click(button("Send test to the webhook"));
    await screen.findByText(text);
    expect(server.callsOf(testAlertDelivery).map(({ body }) => body)).toEqual([{ channel: "webhook" }]);
  });

  it("reports why it could not be made", async () => {
    server.on(testAlertDelivery, () => failWith("rate_limited", "Try again in 60 s."));
    renderWithQueries(row);
    fireEvent.click(button("Send test to the webhook"));
    await screen.findByText("Test not delivered: Try again in 60 s.");
  });
});
