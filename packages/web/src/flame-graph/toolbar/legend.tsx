import {
  type FunctionTable,
  type LegendEntry,
  legendOf,
  matchColour,
  type Scheme,
  shownName,
} from "@flamekeep/flame";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";

const meaning: Readonly<Record<Scheme, string>> = {
  heat: "Share of the total in the frame itself",
  cool: "Share of the total with callees",
  viridis: "Share of the total with callees",
  plasma: "Share of the total with callees",
  package: "Package",
  subsystem: "Part of the program",
};

interface LegendProps {
  readonly scheme: Scheme;
  /** Functions of the picture. */
  readonly functions: FunctionTable;
}

export function Legend({ scheme, functions }: LegendProps) {
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
      {legendOf(scheme, theme, functions).map((entry) => (
        <Swatch key={entry.label} entry={entry} />
      ))}
      <Swatch entry={{ label: "search match", colour: matchColour }} />
    </section>
  );
}

function Swatch({ entry }: { readonly entry: LegendEntry }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg aria-hidden="true" className="size-3 rounded-badge" viewBox="0 0 1 1">
        <rect width="1" height="1" fill={entry.colour} />
      </svg>
      {entry.label === "" ? "no package" : shownName(entry.label)}
    </span>
  );
}
