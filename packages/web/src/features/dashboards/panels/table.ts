import type { PanelKind } from "@flamekeep/contract";
import type { ComponentType } from "react";
import { lazyPart } from "#api/import-page.ts";
import { AlertsPanel } from "./alerts.tsx";
import { LanePanel } from "./lane.tsx";
import { NotePanel } from "./note.tsx";
import type { PanelProps } from "./panel-parts.tsx";
import { RoutesPanel } from "./routes.tsx";

interface PanelEntry<K extends PanelKind> {
  /** In the list of kinds. */
  readonly label: string;
  readonly Content: ComponentType<PanelProps<K>>;
}

/** Every kind of panel. Kinds that draw flame graphs load their code with the first panel. */
export const panelTable: { readonly [K in PanelKind]: PanelEntry<K> } = {
  lane: { label: "Figure over time", Content: LanePanel },
  flame_graph: {
    label: "Flame graph",
    Content: lazyPart(async () => (await import("./flame-graph.tsx")).FlameGraphPanel),
  },
  top: {
    label: "Hottest functions",
    Content: lazyPart(async () => (await import("./top.tsx")).TopPanel),
  },
  routes: { label: "Routes", Content: RoutesPanel },
  alerts: { label: "Open alerts", Content: AlertsPanel },
  note: { label: "Note", Content: NotePanel },
};

export const panelKinds = Object.keys(panelTable) as readonly PanelKind[];

/** The content of a panel of any kind. */
export function contentOf<K extends PanelKind>(kind: K): ComponentType<PanelProps<PanelKind>> {
  return panelTable[kind].Content as unknown as ComponentType<PanelProps<PanelKind>>;
}
