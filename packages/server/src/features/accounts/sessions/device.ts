import type { AccountSession } from "@flamekeep/contract";

// Names of browsers and systems by their marks in `User-Agent`. Several browsers also carry the marks of those after them.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chromium)\//, "Chromium"],
  [/\b(Chrome|CriOS)\//, "Chrome"],
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
const phoneSystems = ["Android", "iPadOS", "iOS"];

interface Device {
  /** For people, made of fixed texts and at most the first word of the header: anybody can send anything. */
  readonly name: string;
  readonly kind: AccountSession["device_kind"];
}

const unknown: Device = { name: "Unknown device", kind: "unknown" };

/** The device that sent this `User-Agent`. */
export function deviceOf(userAgent: string | null): Device {
  if (userAgent === null) return unknown;
  const nameIn = (names: typeof browsers) => names.find(([mark]) => mark.test(userAgent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined && !userAgent.startsWith("Mozilla/")) {
    const program = /^[\w.-]{1,40}/.exec(userAgent)?.[0];
    return program === undefined ? unknown : { name: program, kind: "program" };
  }
  const name = browser ?? "Unknown browser";
  if (system === undefined) return { name, kind: "unknown" };
  return { name: `${name} on ${system}`, kind: phoneSystems.includes(system) ? "phone" : "computer" };
}
