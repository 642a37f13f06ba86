// @vitest-environment happy-dom
import { deleteService, listSourceLinks, updateRetention, updateSourceLink } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ToastHost } from "../../../app.tsx";
import { RetentionForm } from "./retention.tsx";
import { DeleteServiceDialog } from "./services.tsx";
import { SourceLinkDialog } from "./source-link-dialog.tsx";

const checkout = {
  name: "checkout",
  last_activity: "2026-11-20T10:00:00.000Z",
  total_profiles: 720,
  profiles_by_display_type: { cpu: 432, metrics: 288 },
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

it("a service is deleted only after its exact name was typed", async () => {
  const closed = Promise.withResolvers<void>();
  server.on(deleteService, () =>
    replyWith(deleteService, { service: "checkout", profiles: 432, http_requests: 0 }),
  );
  renderWithQueries(<DeleteServiceDialog service={checkout} onClose={closed.resolve} />);
  const dialog = await screen.findByRole("dialog", { name: "Delete checkout?" });
  expect(dialog.textContent).toContain("432 profiles, its HTTP metrics and everything derived from them");
  const name = screen.getByLabelText("Type checkout to confirm");
  fireEvent.change(name, { target: { value: "Checkout" } });
  fireEvent.click(button("Delete service"));
  expect((await screen.findByRole("alert")).textContent).toBe("Type checkout to delete it");
  expect(document.activeElement).toBe(name);
  expect(server.callsOf(deleteService)).toEqual([]);
  fireEvent.change(name, { target: { value: "checkout" } });
  fireEvent.click(button("Delete service"));
  await closed.promise;
  expect(server.callsOf(deleteService).map(({ body }) => body)).toEqual([{ confirm: "checkout" }]);
});

it("a shorter retention is saved after a confirmation, a longer one at once", async () => {
  const retention = { retention_days: 14, server_retention_days: 30, server_days_by_type: {} };
  server.on(updateRetention, ({ body }) =>
    replyWith(updateRetention, {
      ...(body as { retention_days: number }),
      server_retention_days: 30,
      server_days_by_type: {},
    }),
  );
  renderWithQueries(
    <>
      <RetentionForm retention={retention} />
      <ToastHost />
    </>,
  );
  const days = screen.getByLabelText("Days");
  const save = async (text: string) => {
    fireEvent.change(days, { target: { value: text } });
    fireEvent.click(button("Save retention"));
  };
  await save("31");
  expect((await screen.findByRole("alert")).textContent).toContain("Enter whole days from 1 to 30");
  await save("20");
  await screen.findByText("Data is kept for 20 days");
  await save("7");
  await screen.findByRole("dialog", { name: "Keep data for 7 days only?" });
  const sent = () => server.callsOf(updateRetention).map(({ body }) => body);
  expect(sent()).toEqual([{ retention_days: 20 }]);
  server.on(updateRetention, () => failWith("unavailable", "The database is locked"));
  fireEvent.click(button("Shorten retention"));
  expect((await screen.findByRole("alert")).textContent).toBe("The database is locked");
  expect(sent()).toEqual([{ retention_days: 20 }, { retention_days: 7 }]);
});

it("a source link that cannot be loaded is asked for again", async () => {
  server.on(listSourceLinks, () => failWith("unavailable", "The database is locked"));
  renderWithQueries(<SourceLinkDialog service="checkout" onClose={() => {}} />);
  await screen.findByText("Failed to load the source link. Please try again later.");
  server.on(listSourceLinks, () => replyWith(listSourceLinks, { source_links: [] }));
  fireEvent.click(button("Try Again"));
  await screen.findByLabelText("Address of a line");
});

it("a source link is saved once its pattern is an https address with {file}", async () => {
  const closed = Promise.withResolvers<void>();
  server.on(listSourceLinks, () => replyWith(listSourceLinks, { source_links: [] }));
  server.on(updateSourceLink, ({ body }) =>
    replyWith(updateSourceLink, {
      service: "checkout",
      ...(body as { url_pattern: string; path_prefix: string }),
    }),
  );
  renderWithQueries(<SourceLinkDialog service="checkout" onClose={closed.resolve} />);
  const address = await screen.findByLabelText("Address of a line");
  fireEvent.change(address, { target: { value: "javascript:alert(1)//{file}" } });
  fireEvent.click(button("Save source link"));
  expect((await screen.findByRole("alert")).textContent).toBe("Begin the pattern with https://");
  expect(server.callsOf(updateSourceLink)).toEqual([]);
  fireEvent.change(address, { target: { value: " https://git.example.com/{file}#L{line} " } });
  fireEvent.change(screen.getByLabelText("Path prefix"), { target: { value: "/app/" } });
  fireEvent.click(button("Save source link"));
  await closed.promise;
  expect(server.callsOf(updateSourceLink).map(({ body }) => body)).toEqual([
    { url_pattern: "https://git.example.com/{file}#L{line}", path_prefix: "/app/" },
  ]);
});
