import { useSyncExternalStore } from "react";

/** Names of tokens. Series of one kind use the eight series colours; states and profile types have their own. */
export type SeriesColor =
  | `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | `type-${"cpu" | "memory" | "goroutine" | "mutex" | "block" | "custom" | "metrics"}`
  | `latency-${"avg" | "p95" | "p99"}`
  | "ok"
  | "info"
  | "warning"
  | "critical"
  | "muted";

const seriesColors = 8;

/** The colour of the n-th series, which repeats after eight. */
export function seriesColor(index: number): SeriesColor {
  return `series-${((index % seriesColors) + 1) as 1}`;
}

/** Lines after the eighth repeat its colours and are dashed. */
export function seriesDash(index: number): number[] | undefined {
  return index < seriesColors ? undefined : [5, 3];
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** The name of the theme, so that a canvas can be drawn again when it changes. */
export function useThemeName(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? "light");
}

/** A token's colour as text that a canvas understands. */
export function tokenColour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim() || "#808080";
}

const pixels = new Map<string, readonly number[]>();

/** Red, green and blue of any CSS colour, by painting a pixel and reading it: the build rewrites the notation of tokens. */
function pixelOf(colour: string): readonly number[] {
  const known = pixels.get(colour);
  if (known !== undefined) return known;
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return [128, 128, 128];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const pixel = [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  pixels.set(colour, pixel);
  return pixel;
}

export function withOpacity(colour: string, opacity: number): string {
  return `rgb(${pixelOf(colour).join(" ")} / ${opacity})`;
}
