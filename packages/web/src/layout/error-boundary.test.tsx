// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ErrorBoundary, RoutingFailure } from "./error-boundary.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

let isBroken = false;

function Page() {
  if (isBroken) throw new Error("The chart has no scale");
  return <p>The page</p>;
}

it("shows the message of a page that failed, and renders the page again on Try Again", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  isBroken = true;
  render(
    <ErrorBoundary>
      <Page />
    </ErrorBoundary>,
  );
  expect(screen.getByRole("alert").textContent).toContain("Something went wrong");
  expect(screen.getByText("The chart has no scale")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Reload Page" })).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  expect(screen.getByText("The page")).toBeTruthy();
});

it("shows a failure of routing as a page with a way out", () => {
  render(<RoutingFailure error={new Error("No script at this address")} reset={() => {}} />);
  expect(screen.getByRole("heading", { level: 1, name: "Unexpected Application Error!" })).toBeTruthy();
  expect(screen.getByText("No script at this address")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Reload Page" })).toBeTruthy();
});
