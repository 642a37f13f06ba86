import {
  type CallTree,
  formatPercent,
  legendOf,
  matchColour,
  packageTotals,
  queryForPackage,
  type Scheme,
  shownName,
  wholeOf,
} from "@flamekeep/flame";
import { type ReactNode, useMemo } from "react";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { cx } from "#ui/cx.ts";

const meaning: Readonly<Record<Scheme, string>> = {
  heat: "Self, % of total",
  cool: "Total, %",
  viridis: "Total, %",
  plasma: "Total, %",
  package: "Package, % of stacks through it",
  subsystem: "Subsystem",
  language: "Language",
};

interface LegendProps {
  readonly scheme: Scheme;
  readonly tree: CallTree;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** The meaning of the colours. A click on a package searches for its functions, a second one clears the search. */
export function Legend({ scheme, tree, search, onSearch }: LegendProps) {
  const { theme } = useThemeColours();
  return (
    // Hundreds of packages are scrolled; the keyboard reaches them, too.
    <section
      aria-label="Legend"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      className="flex max-h-28 flex-wrap items-center gap-x-4 gap-y-1 overflow-y-auto px-4 py-2 text-label"
    >
      <span className="text-muted">{meaning[scheme]}</span>
      {scheme === "package" ? (
        <Packages {...{ tree, search, onSearch }} />
      ) : (
        legendOf(scheme, theme, tree.functions).map((entry) => (
          <Swatch key={entry.label} colour={entry.colour}>
            {entry.label}
          </Swatch>
        ))
      )}
      <Swatch colour={matchColour}>search match</Swatch>
    </section>
  );
}

/** Packages of the picture, largest share first. */
function Packages({ tree, search, onSearch }: Omit<LegendProps, "scheme">) {
  const { theme } = useThemeColours();
  const hasAllFrames = useHasAllFrames();
  const shares = useMemo(() => packageTotals(tree), [tree]);
  const colourOf = useMemo(
    () => new Map(legendOf("package", theme, tree.functions).map((entry) => [entry.label, entry.colour])),
    [tree, theme],
  );
  return shares.map(({ packageName, total }) => {
    const percent = hasAllFrames ? formatPercent(total, wholeOf(tree)) : "…";
    const colour = colourOf.get(packageName) ?? "none";
    if (packageName === "") {
      return (
        <Swatch key="" colour={colour}>
          no package <span className="text-muted">{percent}</span>
        </Swatch>
      );
    }
    const query = queryForPackage(packageName);
    const isSearched = search === query;
    return (
      <button
        key={packageName}
        type="button"
        aria-pressed={isSearched}
        title={isSearched ? "Clear search" : "Search for this package"}
        onClick={() => onSearch(isSearched ? "" : query)}
        className={cx("rounded-badge hover:underline", isSearched && "font-medium text-accent-text")}
      >
        <Swatch colour={colour}>
          {shownName(packageName)} <span className="text-muted">{percent}</span>
        </Swatch>
      </button>
    );
  });
}

function Swatch({ colour, children }: { readonly colour: string; readonly children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg aria-hidden="true" className="size-3 rounded-badge" viewBox="0 0 1 1">
        <rect width="1" height="1" fill={colour} />
      </svg>
      <span>{children}</span>
    </span>
  );
}
