// @vitest-environment happy-dom
import { listServices } from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { noServices } from "#testing/no-services.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ShowLatest } from "./show-latest.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

function renderFor(names: readonly string[], isWholeName: boolean) {
  const server = new FakeServer();
  const services = names.map((name) => ({ name, last_activity: "2026-01-20T12:00:00.000Z" }));
  server.on(listServices, () => replyWith(listServices, { ...noServices, services }));
  const root = createRootRoute({ component: () => <ShowLatest text="caf" isWholeName={isWholeName} /> });
  const history = createMemoryHistory({ initialEntries: ["/?q=caf"] });
  const router = createRouter({ routeTree: root, history });
  renderWithQueries(<RouterProvider router={router as never} />);
  return { server, router };
}

it("leads from a search without a match to the day of the newest profile of a service that matches", async () => {
  const { router } = renderFor(["café"], false);
  fireEvent.click(await screen.findByRole("button", { name: /^Show the latest, of / }));
  await vi.waitFor(() =>
    expect(router.state.location.search).toEqual({
      q: "caf",
      from: "2026-01-20T00:00:00Z",
      to: "2026-01-21T00:00:00Z",
    }),
  );
});

it("offers nothing for a whole name that no service has", async () => {
  const { server } = renderFor(["café"], true);
  await vi.waitFor(() => expect(server.callsOf(listServices)).toHaveLength(1));
  expect(screen.queryByRole("button")).toBeNull();
});
