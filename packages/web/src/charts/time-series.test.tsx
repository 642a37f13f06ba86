// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { BarList } from "./bar-list.tsx";
import { Sparkline } from "./sparkline.tsx";
import { TimeSeries } from "./time-series.tsx";

afterEach(cleanup);

const timesMs = [0, 60_000, 120_000];
const series = [
  { id: "eu", label: "eu-west", values: [0.25, null, 1] },
  { id: "us", label: "us-east", values: [0.5, 0.75, 2] },
];

it("has its values as a table, gaps as N/A", async () => {
  render(
    <TimeSeries label="CPU by region" {...{ timesMs, series }} bucketMs={60_000} unit="cores" zone="utc" />,
  );
  const table = await screen.findByRole("table", { name: "CPU by region" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Jan 1, 00:00 – 00:01 UTC0.25 cores0.5 cores",
    "Jan 1, 00:01 – 00:02 UTCN/A0.75 cores",
    "Jan 1, 00:02 – 00:03 UTC1 core2 cores",
  ]);
});

it("has its deploys and alerts as a list, in the order of time, without those outside of it", async () => {
  const markers = [
    { atMs: 90_000, kind: "alert", label: "Alert: CPU +42.0%", details: "Open" },
    { atMs: 30_000, kind: "deploy", label: "Deploy: version 1.1", details: "Before: 1.0" },
    { atMs: 500_000, kind: "deploy", label: "Deploy: version 1.2" },
  ] as const;
  render(
    <TimeSeries label="CPU" {...{ timesMs, series, markers }} bucketMs={60_000} unit="cores" zone="utc" />,
  );
  const list = await screen.findByRole("list", { name: "Deploys and alerts in CPU" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Jan 1, 00:00: Deploy: version 1.1. Before: 1.0", "Jan 1, 00:01: Alert: CPU +42.0%. Open"]);
});

it("hides and shows a series by its button in the legend", () => {
  render(<TimeSeries label="CPU by region" {...{ timesMs, series }} bucketMs={60_000} unit="cores" />);
  const button = screen.getByRole("button", { name: "eu-west" });
  expect(button.getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(button);
  expect(button.getAttribute("aria-pressed")).toBe("false");
  expect(screen.getByRole("button", { name: "us-east" }).getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(button);
  expect(button.getAttribute("aria-pressed")).toBe("true");
});

it("clears its selection with Escape, and leaves the key to the page without one", () => {
  const selections: unknown[] = [];
  const chart = (selected?: { fromMs: number; toMs: number }) => (
    <TimeSeries
      label="CPU"
      {...{ timesMs, series, selected }}
      bucketMs={60_000}
      unit="cores"
      onSelect={(range) => selections.push(range)}
    />
  );
  const { rerender } = render(chart());
  const area = screen.getByRole("application", { name: "CPU" });
  expect(fireEvent.keyDown(area, { key: "Escape" })).toBe(true);
  rerender(chart({ fromMs: 0, toMs: 60_000 }));
  expect(fireEvent.keyDown(area, { key: "Escape" })).toBe(false);
  expect(selections).toEqual([undefined]);
});

it("a sparkline and a list of bars have their texts", () => {
  render(
    <>
      <Sparkline label="CPU of the last day, now 0.3 cores" values={[1, 2]} />
      <BarList
        label="Slowest"
        rows={[{ id: "a", name: "/cart", amount: 2, value: "2 s", detail: "3 requests" }]}
      />
    </>,
  );
  expect(screen.getByRole("img", { name: "CPU of the last day, now 0.3 cores" })).toBeDefined();
  expect(within(screen.getByRole("list", { name: "Slowest" })).getByRole("listitem").textContent).toBe(
    "/cart3 requests2 s",
  );
});
