import { type Scheme, schemes } from "#colour/scheme-names.ts";
import { isBelow } from "./node-ref.ts";

export const panes = ["graph", "table", "both", "tree"] as const;

export type Pane = (typeof panes)[number];

/** In place of a reference in `FlameView.zoom`: the widest place of the selected function. A link needs no tree to name it. */
export const widestPlace = "@";

/** The view that a link to a flame graph restores. */
export interface FlameView {
  /** Reference of the node that fills the width, see `nodeRefOf`; empty for the root; `widestPlace`. */
  readonly zoom: string;
  /** Reference of the node whose subtree is shown alone, without its callers; empty for the whole tree. */
  readonly focus: string;
  /** As `zoom`, in the upper half of a sandwich. */
  readonly callersZoom: string;
  /** The chain of transforms as text, see `chainOf`; empty for the tree as it is. Zoom and focus are in the transformed tree. */
  readonly transforms: string;
  readonly search: string;
  /** Name of the selected function, all of whose places are marked; empty for none. */
  readonly selectedFunction: string;
  readonly scheme: Scheme;
  readonly pane: Pane;
  readonly legend: boolean;
}

export const defaultFlameView: FlameView = {
  zoom: "",
  focus: "",
  callersZoom: "",
  transforms: "",
  search: "",
  selectedFunction: "",
  scheme: "package",
  pane: "graph",
  legend: false,
};

const noFrameRefs = { zoom: "", focus: "", callersZoom: "" } as const;

export type FlameAction =
  /** With `select`, that function becomes the selected one in the same step. */
  | { readonly do: "zoom"; readonly to: string; readonly select?: string }
  | { readonly do: "focus"; readonly on: string }
  | { readonly do: "transform"; readonly to: string }
  | { readonly do: "search"; readonly text: string }
  /** Selects a function in all its places; no text selects none. With `search`, that is searched for in the same step. */
  | { readonly do: "select function"; readonly name: string; readonly search?: string }
  /** Shows where a function is, from outside of the graph: selects it in the whole graph and zooms to its widest place. */
  | { readonly do: "find function"; readonly name: string }
  | { readonly do: "scheme"; readonly to: Scheme }
  | { readonly do: "pane"; readonly to: Pane }
  | { readonly do: "legend" }
  | { readonly do: "reset zoom" }
  /** Escape: whole tree, no search, nothing selected. */
  | { readonly do: "reset" };

/** The next view; the same object if nothing changes. */
export function changeView(view: FlameView, action: FlameAction): FlameView {
  switch (action.do) {
    case "zoom":
      return changed(view, {
        zoom: action.to,
        focus: isBelow(action.to, view.focus) ? view.focus : "",
        selectedFunction: action.select ?? view.selectedFunction,
      });
    case "focus":
      return changed(view, { zoom: action.on, focus: action.on });
    case "transform":
      return changed(view, { transforms: action.to, ...noFrameRefs });
    case "search":
      return changed(view, { search: action.text });
    case "select function":
      return changed(view, {
        selectedFunction: action.name,
        search: action.search ?? view.search,
        // It is the place of another function.
        zoom: view.zoom === widestPlace ? "" : view.zoom,
      });
    case "find function":
      return changed(view, {
        selectedFunction: action.name,
        ...noFrameRefs,
        zoom: widestPlace,
        transforms: "",
        search: "",
      });
    case "scheme":
      return changed(view, { scheme: action.to });
    case "pane":
      return changed(view, { pane: action.to });
    case "legend":
      return changed(view, { legend: !view.legend });
    case "reset zoom":
      return changed(view, { zoom: "", focus: "" });
    case "reset":
      return changed(view, { ...noFrameRefs, search: "", selectedFunction: "" });
  }
}

/** Whether a change is a step that Browser Back undoes: typing and colours are none. */
export function isStep(before: FlameView, after: FlameView): boolean {
  return (
    before.zoom !== after.zoom ||
    before.focus !== after.focus ||
    before.callersZoom !== after.callersZoom ||
    before.transforms !== after.transforms ||
    before.selectedFunction !== after.selectedFunction
  );
}

function changed(view: FlameView, change: Partial<FlameView>): FlameView {
  const next = { ...view, ...change };
  return Object.keys(change).every((key) => next[key as keyof FlameView] === view[key as keyof FlameView])
    ? view
    : next;
}

/** Parameters of a link: only differences from the default. */
export interface FlameLinkParams {
  readonly zoom?: string;
  readonly focus?: string;
  readonly callers?: string;
  readonly transforms?: string;
  readonly q?: string;
  readonly fn?: string;
  readonly scheme?: Scheme;
  readonly pane?: Pane;
  readonly legend?: "1";
}

export function toLinkParams(view: FlameView): FlameLinkParams {
  return {
    ...(view.zoom === "" ? {} : { zoom: view.zoom }),
    ...(view.focus === "" ? {} : { focus: view.focus }),
    ...(view.callersZoom === "" ? {} : { callers: view.callersZoom }),
    ...(view.transforms === "" ? {} : { transforms: view.transforms }),
    ...(view.search === "" ? {} : { q: view.search }),
    ...(view.selectedFunction === "" ? {} : { fn: view.selectedFunction }),
    ...(view.scheme === defaultFlameView.scheme ? {} : { scheme: view.scheme }),
    ...(view.pane === defaultFlameView.pane ? {} : { pane: view.pane }),
    ...(view.legend ? { legend: "1" } : {}),
  };
}

/** The view for another tree, as a link with `withoutFrameRefs`. */
export function unzoomed(view: FlameView): FlameView {
  return { ...view, ...noFrameRefs };
}

/** View of a link. Parameters that cannot be read have their defaults. */
export function fromLinkParams(params: { readonly [key in keyof FlameLinkParams]: unknown }): FlameView {
  const text = (key: keyof FlameLinkParams) => {
    const value = params[key];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const ref = (key: "zoom" | "focus" | "callers") => (/^[0-9a-z.~]*$/u.test(text(key)) ? text(key) : "");
  return {
    zoom: text("zoom") === widestPlace ? widestPlace : ref("zoom"),
    focus: ref("focus"),
    callersZoom: ref("callers"),
    transforms: text("transforms"),
    search: text("q"),
    selectedFunction: text("fn"),
    scheme: schemes.find((scheme) => scheme === params.scheme) ?? defaultFlameView.scheme,
    pane: panes.find((pane) => pane === params.pane) ?? defaultFlameView.pane,
    legend: text("legend") === "1" || params.legend === true,
  };
}
