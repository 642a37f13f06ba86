// @vitest-environment happy-dom
import { getResourcePrice, updateResourcePrice } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { ResourcePrice } from "./resource-price.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const price = { per_core_month: 24, per_gb_month: 3.2, currency: "EUR" };

function show(isAdmin: boolean): FakeServer {
  const server = new FakeServer();
  signInAs(isAdmin ? "admin" : "member");
  server.on(getResourcePrice, () => replyWith(getResourcePrice, { price }));
  server.on(updateResourcePrice, () => replyWith(updateResourcePrice, { price: null }));
  renderWithQueries(<ResourcePrice isAdmin={isAdmin} />);
  return server;
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByRole("textbox", { name: label }), { target: { value } });
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save price" }));

it("refuses one price alone, and sends both as numbers", async () => {
  const server = show(true);
  await screen.findByRole("textbox", { name: "Core, a month" });
  type("GB of memory, a month", "");
  save();
  // In the summary and under its field.
  expect(await screen.findAllByText("Give a price of memory too, or leave both empty")).toHaveLength(2);
  type("Core, a month", "2 4");
  save();
  expect(await screen.findAllByText("The price of a core must be a number, such as 3.50")).toHaveLength(2);
  type("Core, a month", "3,50");
  expect(server.callsOf(updateResourcePrice)).toEqual([]);
  type("GB of memory, a month", "2.5");
  type("Currency", "usd");
  save();
  await vi.waitFor(() => expect(server.callsOf(updateResourcePrice)).toHaveLength(1));
  expect(server.callsOf(updateResourcePrice)[0]!.body).toEqual({
    price: { per_core_month: 3.5, per_gb_month: 2.5, currency: "USD" },
  });
});

it("removes the price with empty fields", async () => {
  const server = show(true);
  await screen.findByRole("textbox", { name: "Core, a month" });
  type("Core, a month", "");
  type("GB of memory, a month", " ");
  save();
  await vi.waitFor(() => expect(server.callsOf(updateResourcePrice)).toHaveLength(1));
  expect(server.callsOf(updateResourcePrice)[0]!.body).toEqual({ price: null });
});

it("is a sentence for people who are no admins", async () => {
  show(false);
  await screen.findByText("€24.00 for a core and €3.20 for a GB of memory a month.");
  expect(screen.queryByRole("button", { name: "Save price" })).toBeNull();
});
