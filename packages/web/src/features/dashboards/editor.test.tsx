// @vitest-environment happy-dom
import { type Dashboard, saveDashboard } from "@flamekeep/contract";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { takeToasts } from "#ui/overlays/toast.ts";
import { DashboardEditor } from "./editor.tsx";

const first: Dashboard = {
  id: "2f0c8a5e-4b71-4f0e-8a43-5d0f1c7be962",
  version: 1,
  saved_at: "2026-11-20T10:00:00.000Z",
  saved_by: "Ada Lovelace",
  name: "Till",
  description: "",
  variables: { service: "", version: "", region: "" },
  range: "24h",
  panels: [],
};

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

/** The editor, and a button that does what a query does when it reads the dashboard again. */
function Editing({ stored }: { readonly stored: Dashboard }) {
  const [dashboard, setDashboard] = useState(stored);
  const [isClosed, setClosed] = useState(false);
  if (isClosed) return <p>closed</p>;
  return (
    <>
      <button type="button" onClick={() => setDashboard({ ...first, version: 2, name: "Changed elsewhere" })}>
        Read again
      </button>
      <DashboardEditor dashboard={dashboard} onClose={() => setClosed(true)} />
    </>
  );
}

function open(stored = first) {
  const root = createRootRoute();
  const layout = createRoute({ getParentRoute: () => root, id: "protected" });
  const page = createRoute({
    getParentRoute: () => layout,
    path: "/dashboards/$dashboardId",
    component: () => <Editing stored={stored} />,
  });
  const router = createRouter({
    routeTree: root.addChildren([layout.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: [`/dashboards/${first.id}`] }),
  });
  renderWithQueries(<RouterProvider router={router as never} />);
  return screen.findByRole("heading", { level: 1 });
}

it("saves over the version that the changes began with, also after a later one was read", async () => {
  const server = new FakeServer();
  signInAs("member");
  server.on(saveDashboard, () => failWith("conflict", "Somebody else saved version 2."));
  await open();
  screen.getByText(/^Choose “Add panel”/);
  fireEvent.click(screen.getByRole("button", { name: "Read again" }));
  await screen.findByRole("heading", { level: 1, name: "Edit Changed elsewhere" });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Somebody else saved version 2.");
  expect(server.callsOf(saveDashboard).map(({ body }) => body)).toMatchObject([{ name: "Till", version: 1 }]);
});

it("takes the undo of a removed panel away when it closes", async () => {
  const server = new FakeServer();
  signInAs("member");
  const toasts: { readonly title: string; readonly outdated?: AbortSignal }[] = [];
  const note = { kind: "note", id: "note", title: "Runbook", width: 1, text: "Call Ada" } as const;
  server.on(saveDashboard, () => replyWith(saveDashboard, { ...first, version: 2 }));
  await open({ ...first, panels: [note] });
  const stop = takeToasts((toast) => toasts.push(toast));
  fireEvent.click(screen.getByRole("button", { name: "Remove: Runbook" }));
  expect(toasts.map(({ title, outdated }) => [title, outdated?.aborted])).toEqual([
    ["Runbook removed", false],
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("closed");
  expect(toasts[0]?.outdated?.aborted).toBe(true);
  stop();
});
