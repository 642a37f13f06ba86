import { type FlameView, fromLinkParams, isStep, toLinkParams } from "@flamekeep/flame";
import type { ChangeColouring } from "@flamekeep/flame/compare";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ComparisonMode } from "#flame-graph/reading/change-text.ts";
import type { SharedView } from "./queries.ts";
import type { SharedSearch } from "./search.ts";

type Look = SharedView["look"];

/** The view of a shared graph: the link's view, changed by what the address says. Browser Back undoes each step, as in the app. */
export function useSharedView(look: Look) {
  const search: SharedSearch = useSearch({ from: "/shared/$token" });
  const navigate = useNavigate({ from: "/shared/$token" });
  const params: SharedSearch = { ...look, ...withoutMissing(search) };
  const view = fromLinkParams(params);

  const change = (part: Readonly<Record<string, string>>, replace = false) =>
    void navigate({
      search: (before) => ({ ...before, ...differencesFrom(look, part) }),
      replace,
      resetScroll: false,
    });

  return {
    view,
    mode: params.mode === "relative" ? "relative" : ("absolute" as ComparisonMode),
    colouring: params.color === "total" ? "total" : ("self" as ChangeColouring),
    isSideBySide: params.layout === "sides",
    change,
    changeView: (next: FlameView) => change({ ...unset, ...toLinkParams(next) }, !isStep(view, next)),
  };
}

/** Without the malformed parameters of the address, which are undefined. */
function withoutMissing(search: SharedSearch): SharedSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

/** An empty text is the default of each parameter. */
const unset = {
  zoom: "",
  focus: "",
  callers: "",
  transforms: "",
  q: "",
  fn: "",
  scheme: "",
  pane: "",
  legend: "",
} as const satisfies Record<keyof ReturnType<typeof toLinkParams>, "">;

/** Leaves out of the address what the link says. A default that the link does not have is written as an empty text. */
function differencesFrom(look: Look, part: Readonly<Record<string, string>>): SharedSearch {
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, value === (look[name] ?? "") ? undefined : value]),
  );
}
