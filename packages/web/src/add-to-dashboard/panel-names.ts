import {
  type DashboardPanel,
  type GraphType,
  isRequestFigure,
  type LaneFigure,
  type RequestFigure,
  requestFigures,
} from "@flamekeep/contract";
import { profileTypeLabel } from "#format/names.ts";

/** A panel before it has a place in a dashboard. */
export type NewPanel = DashboardPanel extends infer P
  ? P extends unknown
    ? Omit<P, "id" | "width">
    : never
  : never;

const requestFigureNames: Readonly<Record<RequestFigure, string>> = { p95: "p95 latency", errors: "Errors" };

export function figureName(figure: LaneFigure): string {
  return isRequestFigure(figure) ? requestFigureNames[figure] : profileTypeLabel(figure);
}

/** The name of a panel without a title. */
export function panelName(panel: NewPanel): string {
  switch (panel.kind) {
    case "lane":
      return [figureName(panel.figure), panel.route].filter(Boolean).join(", ");
    case "flame_graph":
      return `${profileTypeLabel(panel.type)} flame graph`;
    case "top":
      return `Hottest functions, ${profileTypeLabel(panel.type)}`;
    case "routes":
      return "Routes";
    case "alerts":
      return "Open alerts";
    case "note":
      return "Note";
  }
}

/** The panels that the profiles of a service can be shown in. */
export function panelsOfProfiles(service: string, type: GraphType): readonly NewPanel[] {
  const common = { title: "", service };
  return [
    { ...common, kind: "flame_graph", type },
    { ...common, kind: "top", type },
    ...lanePanels(service, [type]),
  ];
}

/** The panels that the HTTP requests of a service can be shown in. */
export function panelsOfRequests(service: string): readonly NewPanel[] {
  return [{ title: "", service, kind: "routes" }, ...lanePanels(service, requestFigures)];
}

/** @param route of figures of requests; all requests of the service where it is left out */
export function lanePanels(
  service: string,
  figures: readonly LaneFigure[],
  route?: string,
): readonly NewPanel[] {
  return figures.map((figure) => ({
    ...{ kind: "lane", title: "", service, figure },
    ...(route !== undefined && { route }),
  }));
}

/** An id that no panel of the list has. */
export function freeId(kind: string, panels: readonly { readonly id: string }[]): string {
  const used = new Set(panels.map(({ id }) => id));
  let number = 1;
  while (used.has(`${kind}-${number}`)) number++;
  return `${kind}-${number}`;
}

/** Columns that a panel of a kind has at first, of three. */
export const firstWidths: Readonly<Record<DashboardPanel["kind"], 1 | 2 | 3>> = {
  lane: 1,
  flame_graph: 2,
  top: 1,
  routes: 2,
  alerts: 1,
  note: 1,
};

/** The panel with an id that is free in the list, and the width of its kind. */
export function placed(panel: NewPanel, panels: readonly DashboardPanel[]): DashboardPanel {
  return { ...panel, id: freeId(panel.kind, panels), width: firstWidths[panel.kind] } as DashboardPanel;
}
