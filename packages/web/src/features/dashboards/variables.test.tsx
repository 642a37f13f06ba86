// @vitest-environment happy-dom
import { limits, listServices, listServiceTags } from "@flamekeep/contract";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useSearch,
} from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { noServices } from "#testing/no-services.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { VariableFields } from "./variables.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

function Fields() {
  const { region = "" } = useSearch({ strict: false }) as { readonly region?: string };
  return <VariableFields values={{ service: "", version: "", region }} />;
}

async function open() {
  const server = new FakeServer();
  signInAs("member");
  server.on(listServices, () => replyWith(listServices, noServices));
  server.on(listServiceTags, () => replyWith(listServiceTags, { tags: [] } as never));
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: "/dashboards/$dashboardId",
    component: Fields,
  });
  const history = createMemoryHistory({ initialEntries: ["/dashboards/1?range=24h"] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  renderWithQueries(<RouterProvider router={router as never} />);
  const field = await screen.findByLabelText("Region");
  return { server, router, field: field as HTMLInputElement };
}

it("keeps the focus when a value is applied, and shows a value that the address gets elsewhere", async () => {
  const { router, field } = await open();
  field.focus();
  fireEvent.change(field, { target: { value: "eu" } });
  fireEvent.keyDown(field, { key: "Enter" });
  await vi.waitFor(() => expect(router.state.location.search).toMatchObject({ region: "eu" }));
  await vi.waitFor(() => expect(router.state.status).toBe("idle"));
  expect(screen.getByLabelText("Region")).toBe(field);
  expect(document.activeElement).toBe(field);
  await act(() => router.navigate({ to: ".", search: { region: "us" } as never }));
  await vi.waitFor(() => expect(field.value).toBe("us"));
});

it("searches for services with as much of the text as a search may have", async () => {
  const { server } = await open();
  const field = screen.getByLabelText("Service");
  fireEvent.focus(field);
  fireEvent.input(field, { target: { value: "a".repeat(limits.searchLengthMax + 1) } });
  const asked = () => server.callsOf(listServices).map(({ query }) => query.get("q"));
  await vi.waitFor(() => expect(asked()).toContain("a".repeat(limits.searchLengthMax)));
});
