// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storageKeys } from "#preferences/storage.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { searchReader } from "#url/search.ts";
import { type PageAddress, usePageAddress } from "./page-address.ts";
import { chosenRange, keepTimeRange, rangeSearch } from "./search.ts";
import { TimeRangeControl } from "./time-range-control.tsx";
import { useTimeRange } from "./use-time-range.ts";

function Page() {
  const { query } = useTimeRange();
  const addressNow = usePageAddress();
  const [address, setAddress] = useState<PageAddress>();
  return (
    <>
      <button type="button" onClick={() => setAddress(addressNow())}>
        Share
      </button>
      <span data-testid="address">{JSON.stringify(address)}</span>
      <TimeRangeControl />
      <output>{`${query.from} ${query.to}`}</output>
      <input aria-label="Search" />
      <Link to={"/b" as never}>Other page</Link>
      <Link to={"/b" as never} search={chosenRange as never}>
        Sidebar
      </Link>
    </>
  );
}

/** Two pages with a time range, opened at `url`. */
function open(url: string) {
  const root = createRootRoute({ component: Outlet });
  const page = (path: string) =>
    createRoute({
      getParentRoute: () => root,
      path,
      validateSearch: searchReader(rangeSearch),
      search: { middlewares: [keepTimeRange] },
      component: Page,
    });
  const withoutRange = createRoute({ getParentRoute: () => root, path: "/c", component: Page });
  const router = createRouter({
    routeTree: root.addChildren([page("/a"), page("/b"), withoutRange]),
    history: createMemoryHistory({ initialEntries: [url] }),
  });
  // The types of links and routers come from the app's router.
  renderWithQueries(<RouterProvider router={router as never} />);
  return router;
}

const shownQuery = async () => (await screen.findByRole("status")).textContent;
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(cleanup);

describe("the address to share", () => {
  const shared = async () => {
    fireEvent.click(await screen.findByRole("button", { name: "Share" }));
    return JSON.parse((await screen.findByTestId("address")).textContent ?? "") as PageAddress;
  };

  it("has the times on screen, also of a range that is saved and not in the URL", async () => {
    localStorage.setItem(storageKeys.timeRange, "4h");
    open("/a");
    const { fixed, moving } = await shared();
    const { searchParams } = new URL(fixed);
    const [from, to] = ["from", "to"].map((name) => Date.parse(searchParams.get(name) ?? ""));
    expect([moving?.span, Math.floor((to! - from!) / 3_600_000)]).toEqual(["4h", 4]);
    expect(new URL(moving?.href ?? "").searchParams.get("range")).toBe("4h");
  });

  it("stays as it is on a page without a time range", async () => {
    open("/c?range=4h");
    expect(await shared()).toEqual({ fixed: window.location.href });
  });
});

describe("the time range control", () => {
  it("shows the last 24 hours unless the URL or a saved choice names another range", async () => {
    open("/a");
    expect(await shownQuery()).toBe("24h now");
    cleanup();
    localStorage.setItem(storageKeys.timeRange, "30d");
    open("/a");
    expect(await shownQuery()).toBe("720h now");
    expect(screen.getByRole("button", { name: "Time range: Last 30 days" })).toBeTruthy();
    cleanup();
    open("/a?range=4h");
    expect(await shownQuery()).toBe("4h now");
  });

  it("reads both ends from the URL, as ISO 8601 or Unix milliseconds", async () => {
    open("/a?from=2026-11-20T10:00:00Z&to=1795176000000");
    expect(await shownQuery()).toBe("2026-11-20T10:00:00Z 2026-11-20T12:00:00Z");
    expect(screen.getByRole("button", { name: "Auto refresh: Off" })).toBeTruthy();
  });

  it.each(["from=abc&to=1", "to=2026-11-20T10:00:00Z", "from=2026-11-20T10:00:00Z&to=2026-11-19T10:00:00Z"])(
    "keeps nothing in the URL of %s, which names no range",
    async (search) => {
      const router = open(`/a?${search}`);
      expect(await shownQuery()).toBe("24h now");
      await waitFor(() => expect(router.state.location.href).toBe("/a"));
    },
  );

  it("keeps a chosen preset in the URL, for other pages and for later", async () => {
    const router = open("/a");
    fireEvent.click(await screen.findByRole("button", { name: /^Time range/ }));
    fireEvent.click(await screen.findByRole("button", { name: "Last 7 days" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ range: "168h" }));
    expect(await shownQuery()).toBe("168h now");
    expect(localStorage.getItem(storageKeys.timeRange)).toBe("168h");
    fireEvent.click(screen.getByRole("link", { name: "Other page" }));
    await waitFor(() => expect(router.state.location.href).toBe("/b?range=168h"));
    router.history.go(-2);
    await waitFor(() => expect(router.state.location.pathname).toBe("/a"));
  });

  it("of a link belongs to its page and what it leads to; the sidebar returns to the chosen one", async () => {
    localStorage.setItem(storageKeys.timeRange, "4h");
    const incident = "from=2026-11-19T10:00:00Z&to=2026-11-19T12:00:00Z";
    const router = open(`/a?${incident}`);
    fireEvent.click(await screen.findByRole("link", { name: "Other page" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b"));
    expect(await shownQuery()).toBe("2026-11-19T10:00:00Z 2026-11-19T12:00:00Z");
    fireEvent.click(screen.getByRole("link", { name: "Sidebar" }));
    await waitFor(() => expect(router.state.location.href).toBe("/b?range=4h"));
    expect(await shownQuery()).toBe("4h now");
    cleanup();
    open("/a");
    expect(await shownQuery()).toBe("4h now");
  });

  it("between two moments is kept for the sidebar if it was chosen in the control", async () => {
    const router = open("/a?from=2026-11-19T10:00:00Z&to=2026-11-19T12:00:00Z");
    await screen.findByRole("status");
    press("[");
    fireEvent.click(screen.getByRole("link", { name: "Sidebar" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b"));
    expect(await shownQuery()).toBe("2026-11-19T09:00:00Z 2026-11-19T11:00:00Z");
  });

  it("that Back returns to is the chosen one again", async () => {
    localStorage.setItem(storageKeys.timeRange, "4h");
    const router = open("/a");
    await screen.findByText("4h now");
    press("[");
    await waitFor(() => expect(router.state.location.search).toHaveProperty("from"));
    router.history.back();
    await screen.findByText("4h now");
    cleanup();
    open("/b");
    expect(await shownQuery()).toBe("4h now");
  });

  it("takes typed times and says which one it cannot read", async () => {
    const router = open("/a");
    fireEvent.click(await screen.findByRole("button", { name: /^Time range/ }));
    const from = await screen.findByLabelText("From");
    fireEvent.change(from, { target: { value: "soon" } });
    fireEvent.click(screen.getByRole("button", { name: "Apply" }));
    expect(await screen.findByText(/^Type a time such as 2h/)).toBeTruthy();
    expect(router.state.location.search).toEqual({});
    fireEvent.change(from, { target: { value: "2026-11-19T10:00Z" } });
    fireEvent.change(screen.getByLabelText("To"), { target: { value: "2026-11-19T12:30Z" } });
    fireEvent.click(screen.getByRole("button", { name: "Apply" }));
    const search = { from: "2026-11-19T10:00:00Z", to: "2026-11-19T12:30:00Z" };
    await waitFor(() => expect(router.state.location.search).toEqual(search));
    // Tomorrow, in a new tab, the saved choice is not an old incident.
    expect(localStorage.getItem(storageKeys.timeRange)).toBeNull();
  });

  it("fills in days that are chosen in the calendar", async () => {
    open("/a?from=2026-11-19T10:00:00Z&to=2026-11-19T12:00:00Z");
    fireEvent.click(await screen.findByRole("button", { name: /^Time range/ }));
    fireEvent.click(await screen.findByLabelText("UTC"));
    fireEvent.click(screen.getByRole("button", { name: "Tuesday, November 10, 2026" }));
    expect(screen.getByLabelText<HTMLInputElement>("To").value).toBe("2026-11-11 00:00");
    fireEvent.click(screen.getByRole("button", { name: "Thursday, November 12, 2026" }));
    expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("2026-11-10 00:00");
    expect(screen.getByLabelText<HTMLInputElement>("To").value).toBe("2026-11-13 00:00");
    expect(screen.getAllByRole("button", { pressed: true }).map((day) => day.textContent)).toEqual([
      "10",
      "11",
      "12",
    ]);
    press("PageUp", screen.getByRole("table"));
    expect(await screen.findByRole("table", { name: "October 2026" })).toBeTruthy();
  });

  it("is moved and resized by keys, except while typing", async () => {
    const router = open("/a?from=2026-11-19T10:00:00Z&to=2026-11-19T12:00:00Z");
    await screen.findByRole("status");
    press("[", screen.getByLabelText("Search"));
    press("[");
    await waitFor(async () => expect(await shownQuery()).toBe("2026-11-19T09:00:00Z 2026-11-19T11:00:00Z"));
    press("-");
    await waitFor(async () => expect(await shownQuery()).toBe("2026-11-19T08:00:00Z 2026-11-19T12:00:00Z"));
    press("=");
    press("]");
    await waitFor(async () => expect(await shownQuery()).toBe("2026-11-19T10:00:00Z 2026-11-19T12:00:00Z"));
    router.history.back();
    await waitFor(async () => expect(await shownQuery()).toBe("2026-11-19T09:00:00Z 2026-11-19T11:00:00Z"));
  });

  it("refreshes as often as chosen", async () => {
    open("/a");
    fireEvent.click(await screen.findByRole("button", { name: "Auto refresh: Live" }));
    fireEvent.click(await screen.findByRole("menuitemradio", { name: "Every 30 s" }));
    expect(await screen.findByRole("button", { name: "Auto refresh: 30 s" })).toBeTruthy();
    expect(localStorage.getItem(storageKeys.autoRefresh)).toBe("30s");
  });
});
