import { fromHex, type Rgb, type Theme, toHex } from "@flamekeep/flame";
import { useSyncExternalStore } from "react";

/** Colours of the page that the canvas uses, as `#rrggbb`. */
export interface ThemeColours {
  readonly theme: Theme;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
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
  const observer = new MutationObserver(() => {
    cached = null;
    listener();
  });
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "class"] });
  return () => observer.disconnect();
}

/** The colours of an element, which can have another theme than the page. */
export function coloursOf(element: Element): ThemeColours {
  const style = getComputedStyle(element);
  const read = (token: string) => resolved(style.getPropertyValue(token));
  const surface = read("--surface");
  const [red, green, blue] = fromHex(surface);
  return {
    theme: red + green + blue < 384 ? "dark" : "light",
    surface,
    line: read("--line-strong"),
    text: read("--text"),
    muted: read("--muted"),
    accent: read("--accent"),
  };
}

/** Converts any CSS colour to sRGB by painting one pixel and reading it back. */
function resolved(colour: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return "#808080";
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const rgb: Rgb = [red, green, blue];
  return toHex(rgb);
}
