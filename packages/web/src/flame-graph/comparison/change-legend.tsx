import { changeLegend } from "@flamekeep/flame/compare";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";

/** The meaning of the colours, always in view: a comparison cannot be read without it. */
export function ChangeLegend() {
  const { theme } = useThemeColours();
  const entries = changeLegend(theme);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-label">
      <span className="text-muted">Change of a frame with its callees</span>
      <ol className="flex" aria-label="Colours from less to more">
        {entries.map(({ label, colour }) => (
          <li key={label} className="flex w-12 flex-col items-center gap-0.5 max-sm:w-9">
            <svg aria-hidden="true" className="h-2.5 w-full" viewBox="0 0 1 1" preserveAspectRatio="none">
              <rect width="1" height="1" fill={colour} />
            </svg>
            <span className="whitespace-nowrap text-muted max-sm:text-[0.625rem]">{label}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
