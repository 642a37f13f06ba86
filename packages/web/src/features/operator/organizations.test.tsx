// @vitest-environment happy-dom
import {
  type OrganizationUsage,
  type operatorOverview,
  type ReplyOf,
  setOrganizationLimits,
  setStoragePrice,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor, waitForElementToBeRemoved } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { Organizations } from "./organizations.tsx";
import { StoragePrice } from "./storage-price.tsx";

const GB = 2 ** 30;
const acme: OrganizationUsage = {
  id: "b2c1f0de-93a4-4e7b-8a56-51d0c7e4f982",
  name: "Acme",
  is_demo: false,
  created_at: "2026-11-01T10:00:00.000Z",
  members: 3,
  active_api_keys: 2,
  profiles: 100,
  stored_bytes: Math.round(12.3 * GB),
  refused_requests: 0,
  last_profile_at: null,
  storage_cost: 0.984,
  limits: {
    stored_bytes: { value: 50 * GB, used: Math.round(12.3 * GB), source: "operator" },
    uploads_per_minute: { value: 1_200_000, used: 5, source: "server" },
    services: { value: 10, used: 10, source: "file" },
    retention_days: { value: 30, used: 14, source: "server" },
    analyses_per_day: { value: 200, used: 190, source: "operator" },
  },
};
const overview: ReplyOf<typeof operatorOverview> = {
  organizations: [acme],
  deleted_organizations: [],
  users: 3,
  storage_price: { per_gb_month: 0.08, currency: "EUR", source: "operator" },
  limits: {
    signup: "open",
    retention_days: 30,
    stored_bytes_max: 10_240 * GB,
    api_keys_max: 1000,
    projects_max: 1000,
    services_max: 100_000,
    uploads_per_minute: 120_000,
    organization_uploads_per_minute: 1_200_000,
    analyses_per_day: 2000,
  },
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const open = async () => {
  renderWithQueries(<Organizations overview={overview} />);
  fireEvent.click(screen.getByRole("button", { name: "Edit limits of Acme" }));
  return screen.findByRole("dialog", { name: "Limits of Acme" });
};
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

it("shows the usage of each limit, those that are used up, and the cost", () => {
  renderWithQueries(<Organizations overview={overview} />);
  const text = document.body.textContent;
  for (const part of ["12.3 GB of 50 GB", "€0.98 a month", "10 of 10", "From the file", "14 of 30 days"])
    expect(text).toContain(part);
  expect(screen.getByText("Reached").closest("dt")?.textContent).toContain("Services");
  expect(screen.getByText("Nearly used up").closest("dt")?.textContent).toContain("Analyses today");
});

it("sends the limits that were changed, and cannot change those of the file", async () => {
  server.on(setOrganizationLimits, () => replyWith(setOrganizationLimits, { limits: acme.limits }));
  const dialog = await open();
  expect(screen.getByLabelText<HTMLInputElement>("Services").disabled).toBe(true);
  expect(dialog.textContent).toContain("From the file (LIMITS_FILE)");
  expect(button("Save limits").disabled).toBe(true);
  fill("Stored GB", "1.5");
  fill("Analyses per day", "");
  fireEvent.click(button("Save limits"));
  await waitForElementToBeRemoved(dialog);
  expect(server.callsOf(setOrganizationLimits).map(({ path, body }) => [path, body])).toEqual([
    [
      `/api/v1/protected/operator/organizations/${acme.id}/limits`,
      { stored_bytes: 1.5 * GB, analyses_per_day: null },
    ],
  ]);
});

it("says before fewer days are saved that older data is removed", async () => {
  const dialog = await open();
  fill("Days of retention", "7");
  expect(dialog.textContent).toContain("Data older than 7 days is removed within the hour");
  expect(button("Keep only 7 days").disabled).toBe(false);
  fill("Days of retention", "31");
  fireEvent.click(button("Save limits"));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Days of retention must be a whole number from 1 to 30",
  );
  expect(server.callsOf(setOrganizationLimits)).toEqual([]);
});

it("shows why the server refused a change", async () => {
  const reason = "The limit services of this organization is from LIMITS_FILE.";
  server.on(setOrganizationLimits, () => failWith("conflict", reason));
  await open();
  fill("Stored GB", "2");
  fireEvent.click(button("Save limits"));
  expect((await screen.findByRole("alert")).textContent).toBe(reason);
});

it("saves a price, refuses what is none, and removes it with an empty field", async () => {
  const stored = { per_gb_month: 0.1, currency: "USD", source: "operator" } as const;
  server.on(setStoragePrice, () => replyWith(setStoragePrice, { storage_price: stored }));
  renderWithQueries(<StoragePrice price={null} />);
  fill("Price of a GB and month", "-1");
  fireEvent.click(button("Save price"));
  expect((await screen.findByRole("alert")).textContent).toContain("The price must be from 0 to 1,000,000");
  fill("Price of a GB and month", "0.1");
  fill("Currency", "usd");
  fireEvent.click(button("Save price"));
  await waitFor(() => expect(server.callsOf(setStoragePrice)).toHaveLength(1));
  await waitFor(() => expect(button("Save price").disabled).toBe(false));
  fill("Price of a GB and month", "");
  fireEvent.click(button("Save price"));
  await waitFor(() => expect(server.callsOf(setStoragePrice)).toHaveLength(2));
  expect(server.callsOf(setStoragePrice).map(({ body }) => body)).toEqual([
    { storage_price: { per_gb_month: 0.1, currency: "USD" } },
    { storage_price: null },
  ]);
});
