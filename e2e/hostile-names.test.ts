import { readFileSync } from "node:fs";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openAfresh, repliesOf, visit } from "./harness/browser.ts";
import { type Named, nameEverything, replyWithNamedAlerts } from "./harness/named-pages.ts";
import { storedSession } from "./harness/sign-up.ts";
import { root, startFlamekeep } from "./harness/start-flamekeep.ts";
import { useOwnServer } from "./harness/use-flamekeep.ts";

/** Runs a script wherever it is inserted as HTML, ends an attribute, and is a template of several frameworks. */
const hostile = `"><img src=x onerror=hit=1><svg onload=hit=1>'{{7*7}}\${7*7}`;
const service = "checkout";

/** Pages that show such a name outside of a canvas: the test does not pass without its input. */
const showingNames = [
  ...["/dashboard", "/profiles", "/profiles/service/{serviceName}", "/profiles/service/{serviceName}/{type}"],
  ...[
    "/profile/{profileId}",
    "/compare",
    "/compare/services",
    "/alerts",
    "/findings",
    "/senders",
    "/projects",
    "/projects/{projectId}",
    "/projects/{projectId}/route",
    "/settings",
  ],
  ...["/invite/{token}", "/operator", "/dashboards", "/dashboards/{dashboardId}"],
];

declare global {
  interface Window {
    /** Set by a script of a hostile name that ran. */
    hit?: number;
  }
}

/** Of this file alone: its first account is the operator. */
const flamekeep = useOwnServer(() => startFlamekeep({ env: { DEMO: "off" } }));
let page: Page;
let errors: readonly string[];
let addresses: Named["addresses"];

beforeAll(async () => {
  const named = await nameEverything(flamekeep.url, hostile, service);
  addresses = named.addresses;
  const opened = await flamekeep.open({ stored: storedSession(await named.account.session()) });
  ({ page, errors } = opened);
  await replyWithNamedAlerts(page, hostile, service);
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => Promise.reject(new Error("a dialog"))));
});

test("every page of the build shows hostile names as text: no script runs, and the policy has nothing to block", async () => {
  const pages: { readonly path: string }[] = JSON.parse(
    readFileSync(`${root}packages/web/dist/pages.json`, "utf8"),
  );
  expect(Object.keys(addresses).toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
  const replies = repliesOf(page);
  await visit(page, "/dashboard");
  const showing = new Set<string>();
  for (const [template, paths] of Object.entries(addresses)) {
    for (const path of paths) {
      // At full length all addresses of all pages. Otherwise those of a page that shows names, until one has shown it.
      if (!isFullLength && (showing.has(template) || !showingNames.includes(template))) continue;
      // Loading the app takes longer than showing a page.
      await (isFullLength ? visit(page, path) : openAfresh(page, path));
      await replies();
      expect(await page.evaluate(() => window.hit), path).toBeUndefined();
      expect(await page.locator("img[src=x]").count(), path).toBe(0);
      if ((await page.locator("body").textContent())?.includes("onerror=hit=1")) showing.add(template);
    }
  }
  expect([...showing]).toEqual(expect.arrayContaining(showingNames));
  expect(errors.filter((line) => !line.includes("status of 4"))).toEqual([]);
}, 900_000);
