// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { cpuAlert } from "#testing/alerts.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { SignalNotes } from "./signal-details.tsx";

afterEach(cleanup);

it("says how values grow, and when they reach the highest level before", () => {
  const highest_before = { value: 2.5e9, at: "2026-11-12T15:00:00.000Z" };
  renderWithQueries(
    <SignalNotes alert={{ ...cpuAlert, increase: 0.2, growth_per_hour: 0.04, highest_before }} />,
  );
  screen.getByText("It grows by 0.08 cores an hour (4.0%): at this rate it doubles in about 13 hours.");
  screen.getByText(
    /^It reaches the highest level of the past three weeks \(2\.50? cores, .+\) in about 6 hours\.$/,
  );
});

it("says that restarts hide growth", () => {
  renderWithQueries(
    <SignalNotes alert={{ ...cpuAlert, growth_per_hour: 0.04, restarts_every_seconds: 21_600 }} />,
  );
  screen.getByText("It grows by 0.08 cores an hour (4.0%) and drops at each restart, about every 6 hours.");
});

it("says of a function that the whole did not change, and names the functions that rose with it", () => {
  const figures = {
    self_before: 1,
    self_after: 2,
    total_before: 1,
    total_after: 2,
    share: 1,
    total_share: 1,
  };
  const functions = ["pricing.Seal", "crypto/sha256.block", "runtime.memmove"].map((name) => ({
    name,
    ...figures,
  }));
  const culprit = { name: "pricing.Seal", file: "/app/seal.go", line: 47, share: 1 };
  renderWithQueries(<SignalNotes alert={{ ...cpuAlert, signal: "function", functions, culprit }} />);
  screen.getByText(/^CPU time of pricing\.Seal in checkout rose to 2\.0 times .* did not change\.$/);
  screen.getByText("Also sha256.block and runtime.memmove.");
});

it("names the instances that rose, and says nothing of growth if values rose once", () => {
  renderWithQueries(<SignalNotes alert={{ ...cpuAlert, instances: ["pod-1", "pod-2"], version: "1.5.0" }} />);
  screen.getByText("Only on pod-1, pod-2, which run version 1.5.0; the others are unchanged.");
  expect(screen.queryByText(/It grows/)).toBeNull();
});
