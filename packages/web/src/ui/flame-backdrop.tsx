import { cx } from "./cx.ts";
import { flamePattern } from "./flame-pattern.ts";

const heat = ["#c2410c", "#dd5a12", "#ee7a1f", "#f59b2e", "#fbbf4a"];
const rows = 18;
const rowHeight = 26;
const bars = flamePattern(rows, 1011);

/** The product's picture as a decoration: no names and no numbers, because it measures nothing. */
export function FlameBackdrop({ className }: { readonly className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 1000 ${rows * rowHeight}`}
      preserveAspectRatio="none"
      className={cx("block", className)}
    >
      {bars.map((bar) => (
        <rect
          key={`${bar.depth}:${bar.x}`}
          x={bar.x * 1000 + 0.75}
          y={(rows - 1 - bar.depth) * rowHeight + 1}
          width={Math.max(1, bar.width * 1000 - 1.5)}
          height={rowHeight - 2}
          fill={heat[bar.step]}
        />
      ))}
    </svg>
  );
}
