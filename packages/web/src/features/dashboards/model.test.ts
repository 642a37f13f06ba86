import type { DashboardPanel } from "@flamekeep/contract";
import { DashboardDefinition } from "@flamekeep/contract/schemas";
import { expect, it } from "vitest";
import { freeId, lanePanels, panelName, placed } from "#add-to-dashboard/panel-names.ts";
import {
  editedValues,
  isFiltered,
  missingInAddress,
  moved,
  placedAt,
  restoredAt,
  serviceOf,
  tagsOf,
  valuesOf,
  withPanel,
} from "./model.ts";
import { templates } from "./templates.ts";

const dashboard = DashboardDefinition.parse({
  name: "Till",
  variables: { service: "checkout", region: "eu" },
  range: "7d",
  panels: [
    { kind: "lane", id: "cpu", figure: "cpu" },
    { kind: "lane", id: "p95", figure: "p95", service: "cart" },
    { kind: "alerts", id: "alerts" },
    { kind: "note", id: "note", text: "Look" },
  ],
});
const ids = (panels: readonly DashboardPanel[]) => panels.map(({ id }) => id).join(" ");

it("the address decides about the variables, also with nothing chosen; the dashboard has their defaults", () => {
  expect(valuesOf(dashboard, {})).toEqual({ service: "checkout", version: "", region: "eu" });
  const values = valuesOf(dashboard, { service: "cart", region: "" });
  expect(values).toEqual({ service: "cart", version: "", region: "" });
  expect(tagsOf(values)).toEqual({});
  expect(tagsOf(valuesOf(dashboard, { version: "v2" }))).toEqual({ version: "v2", region: "eu" });
});

it("an address without the defaults gets them once, and keeps its own values", () => {
  expect(missingInAddress(dashboard, {}, false)).toEqual({ service: "checkout", region: "eu", range: "7d" });
  expect(missingInAddress(dashboard, { service: "cart", region: "" }, false)).toEqual({ range: "7d" });
  expect(missingInAddress(dashboard, { service: "cart", region: "" }, true)).toBeUndefined();
});

it("a panel follows the variable or has its own service; only profiles are filtered by tags", () => {
  const values = valuesOf(dashboard, { service: "search" });
  expect(dashboard.panels.map((panel) => serviceOf(panel, values))).toEqual([
    "search",
    "cart",
    undefined,
    undefined,
  ]);
  expect(dashboard.panels.map(isFiltered)).toEqual([true, false, false, false]);
});

it("panels move by one place, and not beyond the ends", () => {
  expect(ids(moved(dashboard.panels, "cpu", 1))).toBe("p95 cpu alerts note");
  expect(ids(moved(dashboard.panels, "note", -1))).toBe("cpu p95 note alerts");
  expect(moved(dashboard.panels, "cpu", -1)).toBe(dashboard.panels);
  expect(moved(dashboard.panels, "note", 1)).toBe(dashboard.panels);
});

it("a dragged panel takes the place of another one", () => {
  expect(ids(placedAt(dashboard.panels, "cpu", "alerts"))).toBe("p95 alerts cpu note");
  expect(ids(placedAt(dashboard.panels, "note", "cpu"))).toBe("note cpu p95 alerts");
  expect(placedAt(dashboard.panels, "cpu", "gone")).toBe(dashboard.panels);
});

it("a removed panel comes back in its place, under a free id if its own is taken", () => {
  const [cpu, p95, ...others] = dashboard.panels;
  expect(ids(restoredAt([cpu!, ...others], 1, p95!))).toBe("cpu p95 alerts note");
  const taken = { ...p95!, id: "cpu" };
  expect(ids(restoredAt([taken, ...others], 0, cpu!))).toBe("lane-1 cpu alerts note");
});

it("a panel is replaced in its place, or appended under a free id", () => {
  const [cpu] = dashboard.panels;
  const wider = { ...cpu!, width: 3 };
  expect(withPanel(dashboard.panels, wider)[0]).toBe(wider);
  const added = placed({ kind: "lane", title: "", service: "cart", figure: "memory" }, dashboard.panels);
  expect(added).toMatchObject({ id: "lane-1", width: 1 });
  expect(ids(withPanel(dashboard.panels, added))).toBe("cpu p95 alerts note lane-1");
  expect(freeId("lane", [added])).toBe("lane-2");
  expect(panelName(added)).toBe("Memory");
});

it("a lane may be about one route, which its name says; a lane of profiles may not", () => {
  const [lane] = lanePanels("cart", ["errors"], "GET /orders/{id}");
  const panel = placed(lane!, []);
  expect(panelName(panel)).toBe("Errors, GET /orders/{id}");
  expect(DashboardDefinition.parse({ name: "Till", panels: [panel] }).panels).toEqual([panel]);
  const ofProfiles = { name: "Till", panels: [{ ...panel, figure: "cpu" }] };
  expect(DashboardDefinition.safeParse(ofProfiles).error?.issues[0]?.message).toContain(
    "needs the figure p95",
  );
});

it("the ready-made dashboards are as the contract wants them", () => {
  for (const { definition } of templates) expect(DashboardDefinition.parse(definition)).toEqual(definition);
});

it("shows an edited default at once, and a default where the address has an empty value", () => {
  const stored = { variables: { service: "", version: "1.8", region: "" } };
  const draft = { variables: { service: "checkout", version: "1.8", region: "" } };
  const address = { service: "catalog", version: "", region: "eu" };
  expect(editedValues(draft, stored, address)).toEqual({ service: "checkout", version: "1.8", region: "eu" });
  expect(editedValues(stored, stored, address).service).toBe("catalog");
});
