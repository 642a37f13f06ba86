import { openSignedIn } from "@flamekeep/e2e/account";
import { type Browser, openBrowser, type Page } from "@flamekeep/e2e/browser";
import { flameGraphMediaType } from "@flamekeep/flame";
import { installClock } from "./page-clock.ts";

/** The canvas that the bars are for. */
const canvas = { width: 1600, height: 800 };

/** The page of a profile in Chromium, with the server's reply or with another graph in place of it. */
export class GraphPage {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #path: string;
  #columns: Uint8Array | undefined;

  private constructor(browser: Browser, page: Page, path: string) {
    this.#browser = browser;
    this.page = page;
    this.#path = path;
  }

  /** @param upload a profile; its page runs the clock */
  static async open(url: string, upload: Buffer, switches: readonly string[]): Promise<GraphPage> {
    const browser = await openBrowser(switches);
    const viewport = { width: 2000, height: 1200 };
    const { page, account } = await openSignedIn(browser, url, { viewport, reducedMotion: "no-preference" });
    const path = `/profile/${await sendWhenTaken(url, account.key, upload)}`;
    await page.addInitScript(installClock);
    const opened = new GraphPage(browser, page, path);
    await opened.firstPaintMs();
    const box = await page.getByRole("application").boundingBox();
    if (box === null) throw new Error("There is no flame graph on the page.");
    await page.setViewportSize({ ...viewport, width: viewport.width + canvas.width - Math.round(box.width) });
    await opened.#serveReplies();
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }

  /** From here on the page has this graph; the server's, if undefined. */
  give(columns: Uint8Array | undefined): void {
    this.#columns = columns;
  }

  /** From the bytes to the picture, on a new page. */
  async firstPaintMs(): Promise<number> {
    const { page } = this;
    await page.goto(this.#path);
    await this.#painted();
    return page.evaluate(() => window.flameClock.paintedAt - window.flameClock.bytesAt);
  }

  /** From the click on the profile in a list to the picture, and to that of all nodes: with the server's work and all bytes on their way. */
  async clickMs(): Promise<{ readonly first: number; readonly whole: number }> {
    const { page } = this;
    await page.goto("/profiles?view=profiles");
    const link = page.locator(`a[href="${this.#path}"]`).first();
    await link.evaluate((element: HTMLElement) => {
      window.flameClock.clickedAt = performance.now();
      element.click();
    });
    await this.#painted();
    await this.wholePaintMs();
    return page.evaluate(() => {
      const { clickedAt, paintedAt, wholeAt } = window.flameClock;
      return { first: paintedAt - clickedAt, whole: wholeAt - clickedAt };
    });
  }

  async #painted(): Promise<void> {
    const { page } = this;
    try {
      await page.waitForFunction(() => window.flameClock.paintedAt >= window.flameClock.bytesAt);
    } catch (cause) {
      const clock = JSON.stringify(await page.evaluate(() => window.flameClock));
      const text = await page.getByRole("main").innerText();
      throw new Error(`The graph was not painted (${clock}). The page says: ${text.slice(0, 600)}`, {
        cause,
      });
    }
  }

  /** Milliseconds from the bytes to the picture of all nodes, on the open page. Times out for a graph that no worker decodes. */
  async wholePaintMs(): Promise<number> {
    await this.page.waitForFunction(() => window.flameClock.wholeAt >= window.flameClock.bytesAt);
    return this.page.evaluate(() => window.flameClock.wholeAt - window.flameClock.bytesAt);
  }

  /** JavaScript objects and array buffers of the page, after a garbage collection. */
  async memoryBytes(): Promise<number> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = (await session.send("Runtime.getHeapUsage")) as HeapUsage;
    await session.detach();
    return usedSize + backingStorageSize;
  }

  /** The server is not asked again: its work on a million nodes would take the cores that the page is measured on. */
  async #serveReplies(): Promise<void> {
    await this.page.route("**/flamegraph/*", (route) => {
      if (this.#columns === undefined) return route.continue();
      return route.fulfill({ contentType: flameGraphMediaType, body: Buffer.from(this.#columns) });
    });
    await this.page.route("**/stats", (route) =>
      route.fulfill({ status: 404, json: { error: "not asked for" } }),
    );
  }
}

/** Newer than Playwright's types. */
interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

/** Sends again after `Retry-After`, as clients do while the server is busy. Returns the id of the profile. */
async function sendWhenTaken(url: string, key: string, profile: Buffer): Promise<string> {
  for (let attempts = 1; ; attempts++) {
    const reply = await fetch(`${url}/api/v1/ingest/profiles?service=bench&type=cpu`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: new Uint8Array(profile),
    });
    const text = await reply.text();
    if (reply.ok) return (JSON.parse(text) as { profile_id: string }).profile_id;
    const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
    if (reply.status !== 503 || Number.isNaN(seconds) || attempts === 20)
      throw new Error(`the profile was answered ${reply.status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
