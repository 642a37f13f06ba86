import { oklch, toHex } from "./oklch.ts";
import type { Theme } from "./theme.ts";

const hueCount = 30;

/** Number of colours packages are spread over: thirty hues in two lightnesses. */
export const packageColours = hueCount * 2;

/** Colour of a package: the same in every profile and session. FNV-1a of its UTF-16 units. */
export function packageColour(packageName: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < packageName.length; at++)
    hash = Math.imul(hash ^ packageName.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return (hash >>> 0) % packageColours;
}

export function packagePalette(theme: Theme): string[] {
  const [high, low, chroma] = theme === "light" ? [0.84, 0.76, 0.1] : [0.58, 0.49, 0.1];
  return Array.from({ length: packageColours }, (_, id) =>
    toHex(oklch(id < hueCount ? high : low, chroma, ((id % hueCount) * 360) / hueCount)),
  );
}
