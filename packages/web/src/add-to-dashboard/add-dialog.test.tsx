// @vitest-environment happy-dom
import { type Dashboard, listDashboards, readDashboard, saveDashboard } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { AddDialog } from "./add-dialog.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

const saved = { version: 1, saved_by: null, description: "" };
const older: Dashboard = {
  ...saved,
  id: "2f0c8a5e-4b71-4f0e-8a43-5d0f1c7be961",
  name: "A",
  saved_at: "2026-11-19T10:00:00.000Z",
  variables: { service: "", version: "", region: "" },
  range: "24h",
  panels: [],
};
const latest: Dashboard = {
  ...older,
  id: "2f0c8a5e-4b71-4f0e-8a43-5d0f1c7be962",
  name: "B",
  saved_at: "2026-11-20T10:00:00.000Z",
};

it("adds to the dashboard that was saved last, unless another is chosen", async () => {
  const server = new FakeServer();
  signInAs("member");
  const dashboards = [older, latest].map(({ variables: _, range: __, ...each }) => ({ ...each, panels: 0 }));
  server.on(listDashboards, () => replyWith(listDashboards, { dashboards }));
  server.on(readDashboard, () => replyWith(readDashboard, latest));
  server.on(saveDashboard, () => replyWith(saveDashboard, latest));
  const closed = Promise.withResolvers<void>();
  renderWithQueries(
    <AddDialog panels={[{ kind: "alerts", title: "", service: null }]} onClose={closed.resolve} />,
  );
  await vi.waitFor(() => expect(screen.getByRole("combobox", { name: "Dashboard" }).textContent).toBe("B"), {
    timeout: 30_000,
  });
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  await closed.promise;
  expect(server.callsOf(saveDashboard).map(({ path }) => path.split("/").at(-1))).toEqual([latest.id]);
});
