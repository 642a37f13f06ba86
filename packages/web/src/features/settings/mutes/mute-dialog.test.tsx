// @vitest-environment happy-dom
import { listServices, muteAlerts } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { noServices } from "#testing/no-services.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { MuteDialog } from "./mute-dialog.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

it("mutes all alerts of a service for a day, once a service is named", async () => {
  const closed = Promise.withResolvers<void>();
  const server = new FakeServer();
  server.on(listServices, () => replyWith(listServices, noServices));
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [] }));
  renderWithQueries(<MuteDialog onClose={closed.resolve} />);
  const service = await screen.findByLabelText("Service");
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Enter a service or a tag");
  expect(document.activeElement).toBe(service);
  fireEvent.change(service, { target: { value: " checkout " } });
  const before = Date.now();
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  await closed.promise;
  const [body] = server.callsOf(muteAlerts).map((call) => call.body as { until: string });
  expect(body).toEqual({ service: "checkout", type: null, tags: {}, reason: "", until: expect.any(String) });
  const afterMs = Date.parse(body!.until) - 86_400_000;
  expect(afterMs).toBeGreaterThanOrEqual(before);
  expect(afterMs).toBeLessThanOrEqual(Date.now());
});

it("mutes tags of all services for a planned time, and says how tags are written", async () => {
  const closed = Promise.withResolvers<void>();
  const server = new FakeServer();
  server.on(listServices, () => replyWith(listServices, noServices));
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [] }));
  renderWithQueries(<MuteDialog onClose={closed.resolve} />);
  fireEvent.change(await screen.findByLabelText("Tags"), { target: { value: "staging" } });
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Write tags as name:value");
  fireEvent.change(screen.getByLabelText("Tags"), { target: { value: "env:staging, region: eu" } });
  fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "Load test" } });
  fireEvent.change(screen.getByLabelText("Begins"), { target: { value: "2099-11-20T22:00" } });
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  await closed.promise;
  const startsAt = new Date(2099, 10, 20, 22);
  expect(server.callsOf(muteAlerts)[0]?.body).toEqual({
    service: null,
    type: null,
    tags: { env: "staging", region: "eu" },
    reason: "Load test",
    starts_at: startsAt.toISOString(),
    until: new Date(startsAt.getTime() + 86_400_000).toISOString(),
  });
});

it("sends no mute that begins in the past, and names the field as it is on screen", async () => {
  const server = new FakeServer();
  server.on(listServices, () => replyWith(listServices, noServices));
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [] }));
  renderWithQueries(<MuteDialog onClose={() => undefined} />);
  fireEvent.change(await screen.findByLabelText("Service"), { target: { value: "checkout" } });
  const begins = screen.getByLabelText("Begins");
  fireEvent.change(begins, { target: { value: "2020-11-20T22:00" } });
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Begins must be in the future");
  expect(document.activeElement).toBe(begins);
  expect(server.callsOf(muteAlerts)).toEqual([]);
});

it("mutes a service every Sunday, by the clock of a time zone, once a day is chosen", async () => {
  const closed = Promise.withResolvers<void>();
  const server = new FakeServer();
  server.on(listServices, () => replyWith(listServices, noServices));
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [] }));
  renderWithQueries(<MuteDialog onClose={closed.resolve} />);
  fireEvent.change(await screen.findByLabelText("Service"), { target: { value: "checkout" } });
  fireEvent.click(screen.getByRole("combobox", { name: "Repeats" }));
  const weekly = await screen.findByRole("option", { name: "Every week" });
  fireEvent.pointerDown(weekly);
  fireEvent.pointerUp(weekly);
  fireEvent.keyDown(weekly, { key: "Enter" });
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Choose at least one day");
  for (const day of ["Sunday", "Monday", "Monday"]) {
    fireEvent.click(screen.getByRole("button", { name: day }));
  }
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "22:00" } });
  expect(await screen.findByText("The next day.")).toBeDefined();
  fireEvent.change(screen.getByLabelText("Time zone"), { target: { value: "Europe/Berlin" } });
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  await closed.promise;
  expect(server.callsOf(muteAlerts).map(({ body }) => body)).toEqual([
    {
      service: "checkout",
      type: null,
      tags: {},
      reason: "",
      schedule: { weekdays: ["sunday"], from: "22:00", to: "05:00", time_zone: "Europe/Berlin" },
    },
  ]);
});
