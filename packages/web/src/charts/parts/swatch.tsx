import type { SeriesColor } from "#charts/colours.ts";

interface SwatchProps {
  readonly color: SeriesColor;
  readonly isHollow?: boolean;
}

export function Swatch({ color, isHollow = false }: SwatchProps) {
  const ink = `var(--${color})`;
  return (
    <span
      aria-hidden
      className="size-2.5 shrink-0 rounded-[2px] border-2"
      style={{ borderColor: ink, background: isHollow ? "transparent" : ink }}
    />
  );
}
