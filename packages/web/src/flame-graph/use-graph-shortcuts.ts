import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import type { UpperHalf } from "./transforms/upper-half.tsx";
import type { WorkspaceState } from "./use-workspace.ts";

interface ShortcutTargets {
  readonly searchInput: { readonly current: HTMLInputElement | null };
  readonly onRefresh: () => void;
}

/** The keys that a single graph and a comparison share. */
export function useGraphShortcuts(state: WorkspaceState, upper: UpperHalf, to: ShortcutTargets): void {
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
  });
}
