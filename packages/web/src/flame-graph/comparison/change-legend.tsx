import { changeLegend } from "@flamekeep/flame/compare";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";

interface ChangeLegendProps {
  /** Whether frames are compared by their shares of each side's total, and not by their values. */
  readonly isRelative: boolean;
}

/** The meaning of the colours, always in view: a comparison cannot be read without it. */
export function ChangeLegend({ isRelative }: ChangeLegendProps) {
  const { theme } = useThemeColours();
  const entries = changeLegend(theme);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-label">
      <ol className="flex" aria-label="Colors from less to more">
        {entries.map(({ label, colour }) => (
          <li key={label} className="flex w-12 flex-col items-center gap-0.5 max-sm:w-9">
            <svg aria-hidden="true" className="h-2.5 w-full" viewBox="0 0 1 1" preserveAspectRatio="none">
              <rect width="1" height="1" fill={colour} />
            </svg>
            <span className="whitespace-nowrap text-muted max-sm:text-[0.625rem]">{label}</span>
          </li>
        ))}
      </ol>
      <span className="min-w-0 text-muted">
        Color shows how a frame's total changed{isRelative && ", as a share of its side's total"}: blue is
        less, gray the same, orange more.
        {isRelative && " The whole is 100% on both sides, so it is gray."}
      </span>
    </div>
  );
}
