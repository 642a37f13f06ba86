// @vitest-environment happy-dom
import { listMutes, muteAlerts, unmuteAlerts } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ToastHost } from "../app.tsx";
import { mutesQuery } from "./queries.ts";
import { useMute } from "./use-mute.ts";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const series = { service: "checkout", type: "cpu" } as const;
const muted_at = "2026-11-20T10:00:00.000Z";
const id = "5b0e7c1a-94d2-4c3f-8a61-d27f90be3c15";
const muteOf = { ...series, id, reason: "", muted_at, starts_at: muted_at, until: null };

function MuteButton() {
  const mute = useMute();
  return (
    <button type="button" onClick={() => mute({ service: "checkout", profile_type: "cpu" }, true)}>
      Mute
    </button>
  );
}

function UnmuteButton() {
  const mute = useMute();
  const { data } = useQuery(mutesQuery);
  if (data === undefined) return null;
  return (
    <button type="button" onClick={() => mute({ service: "checkout", profile_type: "cpu" }, false)}>
      Unmute
    </button>
  );
}

function renderButton() {
  renderWithQueries(
    <>
      <MuteButton />
      <ToastHost />
    </>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
}

it("mutes a series, and the toast takes it back", async () => {
  const server = new FakeServer();
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [muteOf] }));
  server.on(unmuteAlerts, () => replyWith(unmuteAlerts, { muted: [] }));
  renderButton();
  await screen.findByText("CPU alerts of checkout muted");
  expect(server.callsOf(muteAlerts).map(({ body }) => body)).toEqual([{ ...series, until: null }]);
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

it("brings back the end of a mute that was taken away", async () => {
  const until = "2026-11-21T10:00:00.000Z";
  const server = new FakeServer();
  server.on(listMutes, () => replyWith(listMutes, { muted: [{ ...muteOf, until }] }));
  server.on(muteAlerts, () => replyWith(muteAlerts, { muted: [{ ...muteOf, until }] }));
  server.on(unmuteAlerts, () => replyWith(unmuteAlerts, { muted: [] }));
  renderWithQueries(
    <>
      <UnmuteButton />
      <ToastHost />
    </>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Unmute" }));
  await screen.findByText("CPU alerts of checkout unmuted");
  fireEvent.click(screen.getByRole("button", { name: "Undo", hidden: true }));
  await screen.findByText("CPU alerts of checkout muted");
  expect(server.callsOf(muteAlerts).map(({ body }) => body)).toEqual([{ ...series, until }]);
});
