// Takes pictures of every page from demo data, light and dark, wide and narrow: e2e/screenshots/. Writes the pictures of the landing
// page, compressed, to the folder from which it is built, and the picture of the README to docs/images/.
//
//   npm run screenshots                                takes about two minutes: the demo fills first
//   npm run screenshots -- http://localhost:4040       of a running server with its demo
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { type Browser, openBrowser, openPage, type Page, takeScreenshots, visit } from "./harness/browser.ts";
import { root, startFlamekeep } from "./harness/start-flamekeep.ts";

const demo = { authorization: "Bearer test-api-key" };
/** The demo has this many open alerts once all of its uploads are evaluated. */
const demoAlerts = 5;
const landingFolder = `${root}packages/web/src/features/landing/pictures`;
const landingSize = { width: 1440, height: 900 };
const webpQuality = 78;
const service = "checkout";

async function readJson<T>(url: string): Promise<T> {
  const reply = await fetch(url, { headers: demo });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}

async function waitForDemo(url: string): Promise<void> {
  for (;;) {
    const { open_alerts: alerts } = await readJson<{ open_alerts: number }>(`${url}/api/v1/status`);
    if (alerts >= demoAlerts) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** The search of pages that show nothing without one. */
const searches: Readonly<Record<string, string>> = {
  [`/projects/${service}/route`]: "?path=%2Forders",
  "/compare": `?service=${service}&type=cpu`,
  "/compare/services": `?service=${service}&service=catalog`,
};

/** Other views of pages, and pages of the documentation. */
const views = [
  ...["/profiles?view=profiles", "/profiles?view=functions", "/profiles?view=http"],
  ...["/settings?tab=alerts", "/settings?tab=organization", "/settings?tab=preferences"],
  // The demo's group of services.
  "/projects/00000000-0000-4000-8000-0000000000df",
  ...["/docs", "/docs/profile-types", "/docs/sending", "/docs/settings", "/docs/api"],
];

/** The first of the demo's incidents. */
async function incidentPath(url: string): Promise<string> {
  const list = `${url}/api/v1/protected/incidents`;
  const { incidents } = await readJson<{ incidents: { id: string }[] }>(list);
  return `/alerts?incident=${incidents[0]?.id}`;
}

/** The paths of all pages, with values of the demo for their parameters. */
async function pagePaths(url: string): Promise<string[]> {
  const list: { path: string }[] = JSON.parse(readFileSync(`${root}packages/web/dist/pages.json`, "utf8"));
  const newest = `${url}/api/v1/protected/profiles/service/${service}?display_type=cpu&limit=1`;
  const { profiles } = await readJson<{ profiles: { profile_id: string }[] }>(newest);
  const values: Readonly<Record<string, string>> = {
    serviceName: service,
    type: "cpu",
    profileId: profiles[0]?.profile_id ?? "",
    projectId: service,
    dashboardId: "one-service",
  };
  const paths = list.map(({ path }) => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name));
  return paths.map((path) => path + (searches[path] ?? ""));
}

/** A page in the demo, or signed out. */
async function open(browser: Browser, url: string, isInDemo: boolean): Promise<Page> {
  const { page } = await openPage(browser, url);
  await page.addInitScript((value) => localStorage.setItem("flamekeep.demo", value), String(isInDemo));
  return page;
}

/** Until late replies are there, such as those of sparklines. A page that refreshes may never be idle. */
async function untilIdle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
}

const nameOf = (path: string) => path.replace(/\W+/g, "-").replace(/^-|-$/g, "") || "landing";

/** The window as WebP, which Chromium encodes. */
async function savePicture(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: webpQuality });
  const bytes = Buffer.from(data, "base64");
  writeFileSync(path, bytes);
  process.stdout.write(`${path.slice(root.length)} ${bytes.length} bytes\n`);
}

async function takeLandingPictures(page: Page, paths: readonly string[]): Promise<void> {
  const profile = paths.find((path) => path.startsWith("/profile/")) ?? "";
  const chapters = { dashboard: "/dashboard", service: `/profiles/service/${service}/cpu`, profile };
  mkdirSync(landingFolder, { recursive: true });
  await page.setViewportSize(landingSize);
  for (const [name, path] of Object.entries(chapters)) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await visit(page, path);
      await untilIdle(page);
      await page.mouse.move(0, 0);
      await savePicture(page, `${landingFolder}/${name}-${colorScheme}.webp`);
    }
  }
}

/** The profile page in the README. */
async function takeReadmePicture(page: Page, paths: readonly string[]): Promise<void> {
  const profile = paths.find((path) => path.startsWith("/profile/")) ?? "";
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await visit(page, profile);
  await untilIdle(page);
  await page.screenshot({ path: `${root}docs/images/profile.png`, animations: "disabled" });
}

async function takeAll(url: string): Promise<void> {
  await waitForDemo(url);
  const paths = await pagePaths(url);
  const browser = await openBrowser();
  const inDemo = await open(browser, url, true);
  await takeLandingPictures(inDemo, paths);
  await takeReadmePicture(inDemo, paths);
  const stranger = await open(browser, url, false);
  for (const path of [...paths, ...views, await incidentPath(url)]) {
    const isPublic = /^\/($|login|register|forgot-password|reset-password|docs)/.test(path);
    const page = isPublic ? stranger : inDemo;
    await visit(page, path);
    await untilIdle(page);
    await takeScreenshots(page, nameOf(path));
    process.stdout.write(`${path}\n`);
  }
  await browser.close();
}

const given = process.argv[2];
if (given !== undefined) {
  await takeAll(given.replace(/\/$/, ""));
} else {
  await using flamekeep = await startFlamekeep({ env: { SELF_PROFILING_KEY: "off" } });
  await takeAll(flamekeep.url);
}
