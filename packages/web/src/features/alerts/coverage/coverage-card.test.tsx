// @vitest-environment happy-dom
import { getAlertCoverage, listServices } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { noServices } from "#testing/no-services.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { CoverageCard } from "./coverage-card.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

const listOf = (...names: string[]) => ({
  ...noServices,
  services: names.map((name) => ({ name, last_activity: "2026-11-20T10:00:00.000Z" })),
});

function Card() {
  const [service, choose] = useState<string>();
  const first = { data: listOf("a-first"), error: null, refetch: () => undefined } as never;
  return <CoverageCard {...{ first, service, onChange: choose }} />;
}

it("has the limits of the first service, and of any that a search finds", async () => {
  const server = new FakeServer();
  signInAs("member");
  server.on(listServices, ({ query }) =>
    replyWith(listServices, query.get("q") === "pay" ? listOf("pay-1199") : noServices),
  );
  server.on(getAlertCoverage, () => failWith("unavailable", "busy"));
  renderWithQueries(<Card />);
  const field = await screen.findByLabelText<HTMLInputElement>("Service of the listed signals");
  expect(field.value).toBe("a-first");
  fireEvent.input(field, { target: { value: "pay" } });
  await vi.waitFor(() => expect(document.querySelector("option")?.value).toBe("pay-1199"));
  fireEvent.input(field, { target: { value: "pay-1199" } });
  fireEvent.keyDown(field, { key: "Enter" });
  const asked = () =>
    server.callsOf(getAlertCoverage).map(({ path }) => path.split("/").find((part) => part === "pay-1199"));
  await vi.waitFor(() => expect(asked().at(-1)).toBe("pay-1199"));
});
