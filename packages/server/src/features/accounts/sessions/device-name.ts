// Names of browsers and systems by their marks in `User-Agent`. Several browsers also carry the marks of those after them.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\biPad\b/, "iPadOS"],
  [/\biPhone\b/, "iOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** A name for people, made of fixed texts and at most the first word of the header: anybody can send anything. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null) return "Unknown device";
  const browser = browsers.find(([mark]) => mark.test(userAgent))?.[1];
  const system = systems.find(([mark]) => mark.test(userAgent))?.[1];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? "Unknown device";
}
