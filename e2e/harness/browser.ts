import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";
import { expect } from "vitest";
import { root } from "./start-flamekeep.ts";

export type { Browser, Page, Request, Route } from "playwright-core";

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** Why no browser can be opened; undefined if one can. */
export function missingBrowser(): string | undefined {
  if (existsSync(chromiumPath)) return undefined;
  return `no Chromium at ${chromiumPath}: install it, or name one in CHROMIUM_PATH`;
}

/**
 * For each window Chromium loads two pages for its address bar, which nobody sees here: half of the CPU time of opening a page of
 * the app. This list replaces Playwright's, so it repeats what Playwright disables.
 */
const disabledFeatures = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "PreloadTopChromeWebUI"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"],
  ...["NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
];

/**
 * Without a GPU, drawing as for one takes longer than drawing without. Debian's Chromium has it turned on. A page of a test does not
 * live long enough for what compiling its hot functions takes, not even one that draws a large graph.
 */
const testSwitches = [
  "--disable-gpu-rasterization",
  "--js-flags=--no-opt,--no-maglev,--max-lazy",
  `--disable-features=${disabledFeatures.join(",")}`,
];

/** @param switches more of Chromium's own; by default those that spare the tests work that they do not look at */
export async function openBrowser(switches: readonly string[] = testSwitches): Promise<Browser> {
  // Chromium's own sandbox does not run as root, which is what containers give.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: chromiumPath, args: [...sandbox, ...switches] });
}

/** Chromium reports every 404 as an error; to the question for analyses it means that there are none yet. */
function isNotAnalysedYet(url: string, text: string): boolean {
  return text.includes("404") && /\/(latest-)?analyses(\?|$)/.test(url);
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console, uncaught exceptions, blocked resources, replies with 500 and above. */
  readonly errors: readonly string[];
}

export interface PageOptions extends Omit<BrowserContextOptions, "storageState"> {
  /** The browser's storage at the first visit of the app. */
  readonly stored?: Readonly<Record<string, string>>;
}

/** A page in a separate session, unless `options` has one, that records its errors. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  { stored, ...options }: PageOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL, viewport: wide, reducedMotion: "reduce", ...options });
  // Not with `storageState`, for which Playwright opens another window: that takes as long as opening the page.
  if (stored !== undefined)
    await context.addInitScript(storeOnce, { origin: new URL(baseURL).origin, stored });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !isNotAnalysedYet(message.location().url, message.text())) {
      errors.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => errors.push(`exception: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 500) errors.push(`${response.status()}: ${response.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`blocked by ${event.violatedDirective}: ${event.blockedURI}`);
    });
  });
  return { page, errors };
}

/** Runs before the scripts of each page: fills the storage of the app's origin, only the first time. */
function storeOnce({ origin, stored }: { origin: string; stored: Readonly<Record<string, string>> }): void {
  if (location.origin !== origin || localStorage.getItem("test.stored") !== null) return;
  for (const [name, value] of Object.entries({ ...stored, "test.stored": "" }))
    localStorage.setItem(name, value);
}

/** The browser's storage, for another page with the same session. */
export function storedIn(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(() => ({ ...localStorage }));
}

/** Gives the page a passkey device that confirms everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Opens a path and waits until its content has replaced skeletons and spinners. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForContent(page);
}

async function waitForContent(page: Page): Promise<void> {
  await page.getByRole("heading").first().waitFor();
  await page.waitForFunction(() => document.querySelector('[role="status"][aria-label^="Loading"]') === null);
}

/** Goes to a path as a link of the app does: without loading the app again. The page that is left may still be shown. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, "", to), path);
}

/** Opens a path with nothing left of what a page showed before, but without loading the app again. */
export async function openAfresh(page: Page, path: string): Promise<void> {
  await follow(page, "/nowhere");
  const left = page.getByRole("heading", { name: "This page does not exist" });
  await left.waitFor();
  await follow(page, path);
  await left.waitFor({ state: "detached" });
  await waitForContent(page);
}

/** Waits, each time it is called, until no reply is awaited. Playwright's own wait ends once for each load of the app. */
export function repliesOf(page: Page): () => Promise<void> {
  const awaited = new Set<Request>();
  const end = (request: Request) => void awaited.delete(request);
  page
    .on("request", (request) => void awaited.add(request))
    .on("requestfinished", end)
    .on("requestfailed", end);
  return async () => {
    do {
      await expect.poll(() => awaited.size).toBe(0);
      // A reply may lead to another call.
      await settle(page);
    } while (awaited.size > 0);
  };
}

const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };

const colorSchemes = ["light", "dark"] as const;

/** Waits until nothing moves any more: fonts, transitions, two frames drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    await document.fonts.ready;
    await nextFrame();
    // Those that follow a scroll position never finish.
    const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    await Promise.allSettled(timed.map((animation) => animation.finished));
    await nextFrame();
  });
}

/** Rules whose outcome depends on colours: the others say the same in light and dark. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Accessibility violations of the page in light and dark, one line each, by axe-core.
 * @param within selector of a part of the page that alone is looked at; what axe says of whole pages it does not say of parts
 */
export async function accessibilityViolations(page: Page, within?: string): Promise<string[]> {
  // A popup is not in a landmark, but at the end of the page.
  const rules = within === undefined ? {} : { region: { enabled: false } };
  const light = await runAxe(page, within, { rules });
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const dark = await runAxe(page, within, { runOnly: colourRules });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await settle(page);
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}

/** @param options of axe: by default all rules run */
async function runAxe(page: Page, within: string | undefined, options: object): Promise<string[]> {
  const found = await runAxeOnce(page, within, options);
  // Colours may still have been changing: what stays is a violation.
  return found.length === 0 ? found : runAxeOnce(page, within, options);
}

async function runAxeOnce(page: Page, within: string | undefined, options: object): Promise<string[]> {
  await settle(page);
  // Over the debugging protocol, because the content security policy rightly refuses a script tag.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const result = await page.evaluate(
    async ([selector, given]) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const looked =
        selector === undefined ? document : { include: [...document.querySelectorAll(selector)] };
      // Only the number of what passes is read.
      const { violations, passes } = await axe.run(looked, { resultTypes: ["violations"], ...given });
      return { violations, passed: passes.length };
    },
    [within, options] as const,
  );
  if (result.passed === 0) throw new Error(`axe looked at nothing on ${page.url()}`);
  return result.violations.map((violation) => {
    const places = violation.nodes.map((node) => node.target.join(" ")).slice(0, 3);
    return `${violation.id} (${violation.impact}): ${places.join(", ")}`;
  });
}

interface Axe {
  run(looked: unknown, options: object): Promise<AxeResult>;
}

interface AxeResult {
  readonly passes: readonly unknown[];
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** Pictures of the page, light and dark, wide and narrow, in `e2e/screenshots/`. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  const folder = `${root}e2e/screenshots`;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [size, viewport] of Object.entries({ wide, narrow })) {
      await page.setViewportSize(viewport);
      await settle(page);
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${size}.png`, animations: "disabled" });
    }
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize(wide);
}
