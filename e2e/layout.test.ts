import { isFullLength } from "@flamekeep/profile/testing/full-length";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { narrow, openAfresh, repliesOf, visit } from "./harness/browser.ts";
import { type Named, nameEverything, replyWithNamedAlerts } from "./harness/named-pages.ts";
import { storedSession } from "./harness/sign-up.ts";
import { startFlamekeep } from "./harness/start-flamekeep.ts";
import { useOwnServer } from "./harness/use-flamekeep.ts";

const long = "long-name".repeat(23).slice(0, 200);

/** Windows that a page fits: a desktop, a phone, the desktop at 200 % zoom, and the narrowest that WCAG asks for. */
const desktop = { width: 1440, height: 900 };
const narrowest = { width: 320, height: 640 };
const windows = isFullLength
  ? [desktop, narrow, { width: 720, height: 450 }, narrowest]
  : [desktop, narrowest];

/** Pages without the app's header, and one that does not exist. From one of them the app is loaded again, which takes longer than a page. */
const outsideOfApp = [
  ...["/", "/login", "/register", "/forgot-password", "/reset-password", "/single-sign-on", "/second-factor"],
  ...["/open", "/verify-email", "/invite/{token}", "/shared/{token}", "/profiles/{type}"],
];

/** Of this file alone: its first account is the operator. */
const flamekeep = useOwnServer(() => startFlamekeep({ env: { DEMO: "off" } }));
let named: Named;
let page: Page;
let replies: () => Promise<void>;

beforeAll(async () => {
  named = await nameEverything(flamekeep.url, long, long);
  const opened = await flamekeep.open({ stored: storedSession(await named.account.session()) });
  page = opened.page;
  await replyWithNamedAlerts(page, long, long);
  replies = repliesOf(page);
});

test("names of 200 letters widen no page, hide no control and skip no level of headings, and every header says where the page is", async () => {
  const faults: string[] = [];
  // More addresses of a page show mostly the same parts again.
  const paths = Object.entries(named.addresses).flatMap(([template, all]) =>
    (isFullLength ? all : all.slice(0, 1)).map((path) => ({
      path,
      isOutside: outsideOfApp.includes(template),
    })),
  );
  let isInApp = false;
  for (const { path, isOutside } of paths) {
    await page.setViewportSize(desktop);
    await (isInApp && !isOutside ? openAfresh(page, path) : visit(page, path));
    isInApp = !isOutside;
    await replies();
    const at = path.replaceAll(long, "LONG");
    faults.push(...(await page.evaluate(headingFaults)).map((fault) => `${at}: ${fault}`));
    const places = await page.getByTestId("page-place").allInnerTexts();
    if (places.includes("")) faults.push(`${at}: the header does not say where the page is`);
    for (const size of windows) {
      await page.setViewportSize(size);
      // Charts and graphs measure themselves in the next frame.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const found = await page.evaluate(layoutFaults);
      faults.push(...found.map((fault) => `${at} at ${size.width}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
}, 900_000);

test("forced colours outline the current page, tab, lane, pane and row", async () => {
  const service = `/profiles/service/${long}`;
  await page.setViewportSize(desktop);
  await page.emulateMedia({ forcedColors: "active" });
  const outlined = async (place: string, each: string) => {
    const all = page.locator(place).locator(each);
    await all.first().waitFor();
    return all.evaluateAll((elements) =>
      elements.map((element) => {
        const isCurrent = ["aria-current", "aria-selected", "aria-pressed"].some((name) =>
          ["true", "page"].includes(element.getAttribute(name) ?? ""),
        );
        return { isCurrent, isOutlined: getComputedStyle(element).outlineStyle === "solid" };
      }),
    );
  };
  const expectOne = async (place: string, each: string) => {
    const found = await outlined(place, each);
    expect(found.filter(({ isCurrent }) => isCurrent).length, place).toBe(1);
    expect(
      found.filter(({ isCurrent, isOutlined }) => isCurrent !== isOutlined),
      place,
    ).toEqual([]);
  };
  await visit(page, `${service}?range=1h`);
  await expectOne('nav[aria-label="Main"]', "a");
  await expectOne('[role="tablist"][aria-label="Profile type"]', '[role="tab"]');
  await expectOne('section:has(> div [role="application"])', "li > button");
  await visit(page, `${service}/cpu?range=1h`);
  const panes = page.getByRole("group", { name: "View" });
  await panes.getByRole("button", { name: "Table" }).click();
  await expectOne('fieldset:has(legend:text-is("View"))', "button");
  await page.locator("#flame-graph tbody tr").first().click();
  await page.mouse.click(1, 1);
  await expectOne("#flame-graph tbody", "tr[aria-selected]");
  await page.emulateMedia({ forcedColors: "none" });
});

test("the second link for the keyboard leads past the controls to the flame graph, where there is one", async () => {
  await visit(page, `/profiles/service/${long}/cpu?range=1h`);
  await page.locator("#flame-graph canvas").first().waitFor();
  for (const name of ["Skip to content", "Skip to the flame graph"]) {
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  }
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("#flame-graph") !== null)).toBe(true);
  await visit(page, "/senders");
  expect(await page.getByRole("link", { name: "Skip to the flame graph" }).count()).toBe(0);
});

/** Runs in the page. */
function headingFaults(): string[] {
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
    .filter((heading) => heading.checkVisibility())
    .map((heading) => ({ level: Number(heading.tagName[1]), text: heading.textContent.slice(0, 40) }));
  const count = levels.filter(({ level }) => level === 1).length;
  const skipping = levels.find(({ level }, index) => level > (levels[index - 1]?.level ?? 0) + 1);
  return [
    ...(count === 1 ? [] : [`${count} h1`]),
    ...(skipping ? [`h${skipping.level} “${skipping.text}” skips a level`] : []),
  ];
}

/** Runs in the page: whether it scrolls sideways, and the controls that are cut at its side or covered by others. */
function layoutFaults(): string[] {
  const faults: string[] = [];
  const nameOf = (element: Element) => {
    const text = element.getAttribute("aria-label") ?? element.textContent.trim();
    return `${element.tagName.toLowerCase()} “${text.slice(0, 40)}”`;
  };
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) {
    const widest = [...document.body.querySelectorAll("*")]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
      .slice(0, 3)
      .map((each) => `${each.tagName.toLowerCase()}.${each.className}`.slice(0, 90));
    faults.push(`is ${scrollWidth} px wide (${widest.join("; ")})`);
  }
  const canScroll = (element: Element): boolean => {
    const parent = element.parentElement;
    if (parent === null || parent === document.body) return false;
    return parent.scrollWidth > parent.clientWidth && /auto|scroll/.test(getComputedStyle(parent).overflowX)
      ? true
      : canScroll(parent);
  };
  const controls = [...document.querySelectorAll("button, a[href], input, select, textarea, [role=tab]")];
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    // Controls for screen readers alone have one pixel.
    if (!control.checkVisibility({ visibilityProperty: true }) || box.width < 2 || box.height < 2) continue;
    if ((box.left < -1 || box.right > innerWidth + 1) && !canScroll(control))
      faults.push(`${nameOf(control)} is cut at ${Math.round(box.right)}`);
  }
  for (const control of controls.filter((each) => each.closest("main, header") !== null)) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = control.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const address = control.getAttribute("href");
    const tops = [0.25, 0.5, 0.75].map((share) =>
      document.elementFromPoint(box.left + box.width * share, box.top + box.height / 2),
    );
    // A link over its whole row leads where the link in the row leads.
    const isReached = (top: Element | null) =>
      top === null ||
      control.contains(top) ||
      top.contains(control) ||
      (address !== null && top.getAttribute("href") === address);
    if (!tops.some(isReached)) faults.push(`${nameOf(control)} is covered by ${nameOf(tops[1]!)}`);
  }
  scrollTo(0, 0);
  return faults;
}
