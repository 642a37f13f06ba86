// @vitest-environment happy-dom
import { listMuteProposals, type MuteProposal, muteAlerts } from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { Proposals } from "./proposals.tsx";

const id = "5b0e7c1a-94d2-4c3f-8a61-d27f90be3c15";
const proposal: MuteProposal = {
  service: "reports",
  type: "cpu",
  schedule: { weekdays: ["sunday"], from: "02:00", to: "05:00", time_zone: "Europe/Berlin" },
  times: 3,
  alert_ids: [id],
};
const expectButton = { name: "Expect this every Sunday 02:00 to 05:00" };

let server: FakeServer;
let proposals: MuteProposal[];
beforeEach(() => {
  proposals = [proposal];
  server = new FakeServer();
  server.on(listMuteProposals, () => replyWith(listMuteProposals, { proposals }));
  server.on(muteAlerts, () => {
    proposals = [];
    return replyWith(muteAlerts, { muted: [] });
  });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

it("a click expects the alerts at the proposed times, and the proposal is gone", async () => {
  signInAs("member");
  renderWithQueries(<Proposals alertIds={[id]} />);
  fireEvent.click(await screen.findByRole("button", expectButton));
  await waitFor(() => expect(screen.queryByRole("button", expectButton)).toBeNull());
  const { service, type, schedule } = proposal;
  const reason = "Opened and resolved then on 3 days of five weeks";
  expect(server.callsOf(muteAlerts).map(({ body }) => body)).toEqual([{ service, type, schedule, reason }]);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(server.callsOf(listMuteProposals)[0]?.query.get("time_zone")).toBe(zone);
});

it("viewers read the times and have no button", async () => {
  signInAs("viewer");
  renderWithQueries(<Proposals />);
  expect(await screen.findByText(/Every Sunday 02:00 to 05:00/)).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});

it("is not on the page of an incident at another time", async () => {
  signInAs("member");
  renderWithQueries(<Proposals alertIds={["0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21"]} />);
  await waitFor(() => expect(server.callsOf(listMuteProposals)).toHaveLength(1));
  expect(screen.queryByRole("list")).toBeNull();
});
