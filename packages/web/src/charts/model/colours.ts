import type { DisplayType } from "@flamekeep/contract";
import { useSyncExternalStore } from "react";
import { profileTypeToken } from "#format/names.ts";
import { rgbOf, subscribeTheme } from "#ui/theme-colour.ts";

/** Names of tokens. Series of one kind use the eight series colours; states and profile types have their own. */
export type SeriesColor =
  | `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | `type-${string}`
  | `latency-${"avg" | "p95" | "p99"}`
  | "ok"
  | "info"
  | "warning"
  | "critical"
  | "muted";

/** The fixed colour of a profile type. */
export function typeColor(type: DisplayType): SeriesColor {
  return profileTypeToken(type);
}

const seriesColors = 8;

/** The colour of the n-th series, which repeats after eight. */
export function seriesColor(index: number): SeriesColor {
  return `series-${((index % seriesColors) + 1) as 1}`;
}

/** Lines after the eighth repeat its colours and are dashed. */
export function seriesDash(index: number): number[] | undefined {
  return index < seriesColors ? undefined : [5, 3];
}

/** The name of the theme, so that a canvas can be drawn again when it changes. */
export function useThemeName(): string {
  return useSyncExternalStore(subscribeTheme, () => document.documentElement.dataset.theme ?? "light");
}

const coloursByTheme = new Map<string | undefined, Map<string, string>>();

/** A token's colour as text that a canvas understands. Computed styles are read once for each theme, because that takes long. */
export function tokenColour(token: string): string {
  const { theme } = document.documentElement.dataset;
  const colours = coloursByTheme.get(theme) ?? new Map<string, string>();
  coloursByTheme.set(theme, colours);
  const known = colours.get(token);
  if (known !== undefined) return known;
  const read = getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();
  // Before the style sheet is there, every token is empty.
  if (read !== "") colours.set(token, read);
  return read || "#808080";
}

/** The notations that tokens have take an opacity as they are: reading a colour back from a canvas takes long. */
export function withOpacity(colour: string, opacity: number): string {
  if (/^\w+\([^,/]+\)$/.test(colour)) return colour.replace(")", ` / ${opacity})`);
  if (/^#[\da-f]{6}$/i.test(colour)) {
    return `${colour}${Math.round(opacity * 255)
      .toString(16)
      .padStart(2, "0")}`;
  }
  return `rgb(${rgbOf(colour).join(" ")} / ${opacity})`;
}
