import type { SeriesColor } from "./model/colours.ts";
import type { Values } from "./model/series.ts";
import { sparklinePath } from "./model/sparkline.ts";

interface SparklineProps {
  /** Accessible text of the line: `CPU of the last 24 hours, now 0.32 cores`. */
  readonly label: string;
  readonly values: Values;
  readonly color?: SeriesColor;
  readonly heightPx?: number;
}

const width = 100;

/** A small line without axes, as wide as its place. Gaps stay gaps; the bottom is 0. */
export function Sparkline({ label, values, color = "series-1", heightPx = 28 }: SparklineProps) {
  const { line, area, dots } = sparklinePath(values, width, heightPx);
  const ink = `var(--${color})`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${heightPx}`}
      preserveAspectRatio="none"
      className="block w-full overflow-visible"
      height={heightPx}
    >
      <title>{label}</title>
      <path d={area} fill={ink} fillOpacity={0.12} />
      <path
        d={line}
        fill="none"
        stroke={ink}
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <path d={dots} stroke={ink} strokeWidth={3} strokeLinecap="round" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
