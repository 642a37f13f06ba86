import type { Page } from "@flamekeep/e2e/browser";

/** Notes of the page about itself; times are milliseconds since it was opened. */
interface WebTimes {
  /** When each condition was first met by a finished frame. */
  readonly shownAt: Record<string, number>;
  largestPaintAt: number;
  layoutShift: number;
  /** One line for each element that moved: the size of the shift, its old and new place, and its text. */
  readonly moved: string[];
}

/** Chromium's entry for a layout shift, which TypeScript does not know. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

declare global {
  interface Window {
    webTimes: WebTimes;
  }
}

/** Selectors of what must be on screen, and how many of them. */
export type Conditions = Readonly<Record<string, readonly [selector: string, count: number]>>;

/** Notes from now on when the pages that this one opens meet the conditions. */
export async function watchTimes(page: Page, conditions: Conditions): Promise<void> {
  await page.addInitScript(noteTimes, conditions);
}

function noteTimes(conditions: Conditions): void {
  const times: WebTimes = { shownAt: {}, largestPaintAt: Number.NaN, layoutShift: 0, moved: [] };
  window.webTimes = times;
  new PerformanceObserver((list) => {
    times.largestPaintAt = list.getEntries().at(-1)?.startTime ?? times.largestPaintAt;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  const nameOf = (node: Node | null) =>
    node instanceof Element
      ? `<${node.localName} class="${node.getAttribute("class") ?? ""}"> ${node.textContent.slice(0, 30)}`
      : (node?.textContent ?? "removed element").slice(0, 60);
  const rectOf = ({ x, y, width, height }: DOMRectReadOnly) =>
    [x, y, width, height].map((each) => Math.round(each)).join(" ");
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput) continue;
      times.layoutShift += value;
      for (const { node, previousRect, currentRect } of sources) {
        times.moved.push(
          `${value.toFixed(4)}: ${rectOf(previousRect)} to ${rectOf(currentRect)}: ${nameOf(node)}`,
        );
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
  const open = new Map(Object.entries(conditions));
  const check = () => {
    for (const [name, [selector, count]] of open) {
      if (document.querySelectorAll(selector).length < count) continue;
      open.delete(name);
      // The next frame begins when this one has been rasterised and handed over.
      requestAnimationFrame(() => {
        times.shownAt[name] = performance.now();
      });
    }
    if (open.size > 0) requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}

/** Longer than the pause after which a page loads what it may need later. */
const quietMs = 1500;

/** Waits until the page has not loaded anything for a while. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, ms);
        new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, ms);
        }).observe({ type: "resource" });
      }),
    quietMs,
  );
}

/** When the condition was met; waits for it. */
export async function shownAt(page: Page, name: string): Promise<number> {
  await page.waitForFunction((key) => window.webTimes.shownAt[key] !== undefined, name);
  return page.evaluate((key) => window.webTimes.shownAt[key]!, name);
}

/** When the last of the files with these names was there. */
export function loadedAt(page: Page, files: readonly string[]): Promise<number> {
  return page.evaluate(
    (names) =>
      Math.max(
        ...performance
          .getEntriesByType("resource")
          .filter(({ name }) => names.some((each) => name.includes(each)))
          .map((entry) => (entry as PerformanceResourceTiming).responseEnd),
      ),
    files,
  );
}

/** Bytes of the scripts that the page had loaded by then, as they came over the network. */
export function scriptBytes(page: Page, untilMs: number): Promise<number> {
  return page.evaluate(
    (until) =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name, responseEnd }) => /\.js(\?|$)/.test(name) && responseEnd <= until)
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    untilMs,
  );
}
