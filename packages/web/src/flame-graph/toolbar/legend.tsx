import { type LegendEntry, legendOf, matchColour, type Scheme } from "@flamekeep/flame";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";

const meaning: Readonly<Record<Scheme, string>> = {
  heat: "Share of the total",
  cool: "Share of the total",
  viridis: "Share of the total",
  plasma: "Share of the total",
  package: "One colour for each package, the same in every profile",
  subsystem: "Part of the program",
};

export function Legend({ scheme }: { readonly scheme: Scheme }) {
  const { theme } = useThemeColours();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-label">
      <span className="text-muted">{meaning[scheme]}</span>
      {legendOf(scheme, theme).map((entry) => (
        <Swatch key={entry.label} entry={entry} />
      ))}
      <Swatch entry={{ label: "search match", colour: matchColour }} />
    </div>
  );
}

function Swatch({ entry }: { readonly entry: LegendEntry }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg aria-hidden="true" className="size-3 rounded-badge" viewBox="0 0 1 1">
        <rect width="1" height="1" fill={entry.colour} />
      </svg>
      {entry.label}
    </span>
  );
}
