// @vitest-environment happy-dom
import { listServices, muteAlerts } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { MuteDialog } from "./mute-dialog.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

it("mutes the CPU alerts of a service for a day, once a service is named", async () => {
  const closed = Promise.withResolvers<void>();
  const server = new FakeServer();
  server.on(listServices, () => replyWith(listServices, { services: [] }));
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [] }));
  renderWithQueries(<MuteDialog onClose={closed.resolve} />);
  const service = await screen.findByLabelText("Service");
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Enter the name of a service");
  expect(document.activeElement).toBe(service);
  fireEvent.change(service, { target: { value: " checkout " } });
  const before = Date.now();
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  await closed.promise;
  const [body] = server.callsOf(muteAlerts).map((call) => call.body as { until: string });
  expect(body).toEqual({ service: "checkout", type: "cpu", until: expect.any(String) });
  const afterMs = Date.parse(body!.until) - 86_400_000;
  expect(afterMs).toBeGreaterThanOrEqual(before);
  expect(afterMs).toBeLessThanOrEqual(Date.now());
});
