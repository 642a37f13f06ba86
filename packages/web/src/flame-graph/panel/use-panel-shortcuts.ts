import type { Transform } from "@flamekeep/flame/transform";
import { loadTransforms } from "#flame-graph/transforms/lazy-parts.tsx";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { functionRefAt, type UpperHalf } from "./callers-pane.tsx";
import type { WorkspaceState } from "./use-workspace.ts";

interface ShortcutTargets {
  readonly searchInput: { readonly current: HTMLInputElement | null };
  readonly onRefresh: () => void;
}

/** Keys of the whole page. */
export function usePanelShortcuts(state: WorkspaceState, upper: UpperHalf, to: ShortcutTargets): void {
  const { transforms } = state.view;
  const change = (next: string) => state.change({ do: "transform", to: next });
  const toggle = (transform: Transform) =>
    void loadTransforms().then(({ toggled }) => change(toggled(transforms, transform)), console.warn);
  useShortcuts({
    find: () => to.searchInput.current?.focus(),
    reset: () => {
      upper.select(-1);
      state.reset();
    },
    refresh: to.onRefresh,
    saveSvg: () => state.saveAs("svg"),
    nextMatch: () => state.stepMatch(1),
    previousMatch: () => state.stepMatch(-1),
    invert: () => toggle({ name: "invert" }),
    sandwich: () => {
      const ref = functionRefAt(upper.tree, upper.selected) ?? state.selectedRef;
      if (ref !== undefined) toggle({ name: "sandwich", target: { by: "function", text: ref } });
    },
    undoTransform: () => {
      if (transforms !== "")
        void loadTransforms().then(({ undone }) => change(undone(transforms)), console.warn);
    },
  });
}
