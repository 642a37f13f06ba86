// @vitest-environment happy-dom
import { muteAlerts, unmuteAlerts } from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ToastProvider } from "#ui/overlays/toast.tsx";
import { useMute } from "./use-mute.ts";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const series = { service: "checkout", type: "cpu" } as const;

function MuteButton() {
  const mute = useMute();
  return (
    <button type="button" onClick={() => mute({ service: "checkout", profile_type: "cpu" }, true)}>
      Mute
    </button>
  );
}

function renderButton() {
  renderWithQueries(
    <ToastProvider>
      <MuteButton />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
}

it("mutes a series, and the toast takes it back", async () => {
  const server = new FakeServer();
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [series] }));
  server.on(unmuteAlerts, () => replyWith(unmuteAlerts, { muted: [] }));
  renderButton();
  await screen.findByText("CPU alerts of checkout muted");
  expect(server.callsOf(muteAlerts).map(({ body }) => body)).toEqual([series]);
  fireEvent.click(screen.getByRole("button", { name: "Undo", hidden: true }));
  await screen.findByText("CPU alerts of checkout unmuted");
  expect(server.callsOf(unmuteAlerts).map(({ body }) => body)).toEqual([series]);
});

it("says why nothing was changed", async () => {
  const server = new FakeServer();
  server.on(muteAlerts, () => failWith("forbidden", "The demo is read-only"));
  renderButton();
  await waitFor(() => screen.getByText("Nothing was changed. The demo is read-only"));
});
