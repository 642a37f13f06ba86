import { fromHex, type Theme, toHex } from "@flamekeep/flame";
import { useSyncExternalStore } from "react";
import { rgbOf, subscribeTheme } from "#ui/theme-colour.ts";

/** Colours of the page that the canvas uses, as `#rrggbb`. */
export interface ThemeColours {
  readonly theme: Theme;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
}

let cached: ThemeColours | null = null;

/** The page's colours, read again when the theme changes. */
export function useThemeColours(): ThemeColours {
  return useSyncExternalStore(subscribe, () => {
    cached ??= coloursOf(document.documentElement);
    return cached;
  });
}

function subscribe(listener: () => void): () => void {
  return subscribeTheme(() => {
    cached = null;
    listener();
  });
}

/** The colours of an element, which can have another theme than the page. */
export function coloursOf(element: Element): ThemeColours {
  const style = getComputedStyle(element);
  const read = (token: string) => toHex(rgbOf(style.getPropertyValue(token)));
  const surface = read("--surface");
  const [red, green, blue] = fromHex(surface);
  return {
    theme: red + green + blue < 384 ? "dark" : "light",
    surface,
    line: read("--line-strong"),
    text: read("--text"),
  };
}
