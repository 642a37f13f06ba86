import {
  type Dashboard,
  type DashboardDefinition,
  type DashboardPanel,
  type DashboardVariable,
  dashboardVariables,
  isRequestFigure,
  serviceVariable,
} from "@flamekeep/contract";
import { freeId } from "#add-to-dashboard/panel-names.ts";

/** The values of the variables: of the address, else the defaults of the dashboard. */
export type Values = Readonly<Record<DashboardVariable, string>>;

type InAddress = Readonly<Partial<Record<DashboardVariable, string | undefined>>>;

export function valuesOf({ variables }: Pick<DashboardDefinition, "variables">, address: InAddress): Values {
  return Object.fromEntries(
    dashboardVariables.map((name) => [name, address[name] ?? variables[name]]),
  ) as Values;
}

/** The values while a dashboard is edited: a default that was edited or that fills an empty value of the address shows at once. */
export function editedValues(
  draft: Pick<DashboardDefinition, "variables">,
  stored: Pick<DashboardDefinition, "variables">,
  address: InAddress,
): Values {
  const valueOfName = (name: DashboardVariable) => {
    const value = draft.variables[name].trim();
    return value === stored.variables[name] ? address[name] || value : value;
  };
  return Object.fromEntries(dashboardVariables.map((name) => [name, valueOfName(name)])) as Values;
}

/** The defaults that the address does not name yet: with them, a link shows the same view when the defaults change. */
export function missingInAddress(
  { variables, range }: Pick<DashboardDefinition, "variables" | "range">,
  address: InAddress,
  hasRange: boolean,
): Record<string, string> | undefined {
  const missing = dashboardVariables.filter((name) => address[name] === undefined && variables[name] !== "");
  if (missing.length === 0 && hasRange) return undefined;
  return {
    ...Object.fromEntries(missing.map((name) => [name, variables[name]])),
    ...(!hasRange && { range }),
  };
}

/** The tags that profiles of the panels must have. */
export function tagsOf({ version, region }: Values): Readonly<Record<string, string>> {
  return { ...(version !== "" && { version }), ...(region !== "" && { region }) };
}

/** The service of a panel; empty where the variable has no value, undefined for panels without one. */
export function serviceOf(panel: DashboardPanel, { service }: Values): string | undefined {
  if (panel.kind === "note" || panel.service === null) return undefined;
  return panel.service === serviceVariable ? service : panel.service;
}

/** Whether the panel shows profiles, which the variables version and region filter. Requests and alerts have no tags. */
export function isFiltered(panel: DashboardPanel): boolean {
  if (panel.kind === "lane") return !isRequestFigure(panel.figure);
  return panel.kind === "flame_graph" || panel.kind === "top";
}

/** The panels with one moved a place earlier (-1) or later (1). */
export function moved(
  panels: readonly DashboardPanel[],
  id: string,
  direction: -1 | 1,
): readonly DashboardPanel[] {
  const at = panels.findIndex((panel) => panel.id === id);
  const to = at + direction;
  if (at === -1 || to < 0 || to >= panels.length) return panels;
  const next = [...panels];
  [next[at], next[to]] = [next[to]!, next[at]!];
  return next;
}

/** The panels with one in the place of another one; those between them move by one. */
export function placedAt(
  panels: readonly DashboardPanel[],
  id: string,
  target: string,
): readonly DashboardPanel[] {
  const to = panels.findIndex((panel) => panel.id === target);
  const dragged = panels.find((panel) => panel.id === id);
  if (dragged === undefined || to === -1) return panels;
  return panels.filter((panel) => panel !== dragged).toSpliced(to, 0, dragged);
}

/** The panels with a removed one again where it was. Another one may have its id meanwhile. */
export function restoredAt(
  panels: readonly DashboardPanel[],
  at: number,
  removed: DashboardPanel,
): readonly DashboardPanel[] {
  const isTaken = panels.some(({ id }) => id === removed.id);
  const panel = isTaken ? { ...removed, id: freeId(removed.kind, panels) } : removed;
  return panels.toSpliced(at, 0, panel);
}

/** The panels with one replaced, or appended if none has its id. */
export function withPanel(
  panels: readonly DashboardPanel[],
  panel: DashboardPanel,
): readonly DashboardPanel[] {
  const isThere = panels.some(({ id }) => id === panel.id);
  return isThere ? panels.map((each) => (each.id === panel.id ? panel : each)) : [...panels, panel];
}

/** The fields that a call stores. */
export function definitionOf({
  name,
  description,
  variables,
  range,
  panels,
}: Dashboard): DashboardDefinition {
  return { name, description, variables, range, panels };
}
