import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown, RefreshCw } from "lucide-react";
import { type RefreshChoice, refreshChoices } from "#preferences/auto-refresh.ts";
import { touchTarget } from "#ui/controls/button.tsx";
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from "#ui/controls/menu.tsx";
import { cx } from "#ui/cx.ts";
import type { TimeRangeState } from "./use-time-range.ts";

const labels: Record<RefreshChoice, string> = {
  live: "Live",
  "10s": "Every 10 s",
  "30s": "Every 30 s",
  "1m": "Every minute",
  "5m": "Every 5 minutes",
  off: "Off",
};
const shortLabels: Record<RefreshChoice, string> = {
  ...labels,
  "10s": "10 s",
  "30s": "30 s",
  "1m": "1 min",
  "5m": "5 min",
};

const options = refreshChoices.map((value) => ({ value, label: labels[value], icon: null }));

/** A range that has ended is read once, whatever the choice is. */
export function RefreshMenu({ state }: { readonly state: TimeRangeState }) {
  const queries = useQueryClient();
  const isEnded = state.range.kind === "between";
  const label = isEnded ? "Off" : shortLabels[state.refresh];
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Auto refresh: ${label}`}
          className={cx(
            "-ml-px inline-flex h-9 items-center gap-1.5 rounded-r-control border border-line-strong bg-surface px-2.5 text-muted transition-colors duration-150 hover:bg-surface-2 hover:text-text data-[popup-open]:bg-surface-2",
            touchTarget,
          )}
        >
          <RefreshCw aria-hidden className="size-3.5" strokeWidth={1.75} />
          <span className="text-label max-sm:sr-only">{label}</span>
          <ChevronDown aria-hidden className="size-3.5 max-sm:hidden" strokeWidth={1.75} />
        </button>
      }
    >
      <MenuItem onSelect={() => void queries.refetchQueries({ type: "active" })}>
        <RefreshCw aria-hidden strokeWidth={1.75} />
        Refresh now
      </MenuItem>
      <MenuSeparator />
      {isEnded ? (
        <p className="max-w-52 px-2.5 py-1.5 text-label text-muted">
          This range has ended, so it is not refreshed by itself.
        </p>
      ) : (
        <MenuRadioGroup
          label="Auto refresh"
          value={state.refresh}
          options={options}
          onChange={state.changeRefresh}
        />
      )}
    </Menu>
  );
}
