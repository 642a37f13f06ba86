// @vitest-environment happy-dom
import { readSharedGraph } from "@flamekeep/contract";
import { cleanup, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { FakeServer } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { SharedComparison } from "./shared-comparison.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

test("a shared comparison that cannot be decoded says so, and offers to try again", async () => {
  new FakeServer().on(readSharedGraph, () => new Response(new Uint8Array([1, 2, 3])));
  renderWithQueries(<SharedComparison token="t" look={{}} />);
  expect(await screen.findByText("Could not load the comparison")).toBeDefined();
  expect(screen.getByRole("button", { name: "Try Again" })).toBeDefined();
});
