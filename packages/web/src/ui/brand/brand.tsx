import { cx } from "#ui/cx.ts";
import { flamePattern } from "./flame-pattern.ts";

/** The logo: a flame graph in the shape of a keep. */
export function BrandMark({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cx("size-7 shrink-0", className)}>
      <rect x="3" y="24" width="26" height="5" rx="1.5" fill="#d9480f" />
      <rect x="3" y="17" width="17" height="5" rx="1.5" fill="#ee6a1b" />
      <rect x="22" y="17" width="7" height="5" rx="1.5" fill="#ee6a1b" fillOpacity=".55" />
      <rect x="7" y="10" width="13" height="5" rx="1.5" fill="#f88c2b" />
      <rect x="12" y="3" width="6" height="5" rx="1.5" fill="#fdb044" />
    </svg>
  );
}

const heat = ["#c2410c", "#dd5a12", "#ee7a1f", "#f59b2e", "#fbbf4a"];
const rows = 18;
const rowHeight = 26;
const bars = flamePattern(rows, 1011);

/** A decorative flame graph. It has no names and numbers, because it shows no data. */
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
