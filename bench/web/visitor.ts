import { type Browser, openBrowser, type Page } from "@flamekeep/e2e/browser";
import type { Seeded } from "./seed.ts";

/** As where there is no GPU. */
const switches = ["--disable-gpu"];

/** Opens pages, each in a separate browser context, with a session and an empty cache. */
export class Visitor {
  readonly #url: string;
  readonly #seeded: Seeded;
  readonly #browser: Browser;

  private constructor(url: string, seeded: Seeded, browser: Browser) {
    this.#url = url;
    this.#seeded = seeded;
    this.#browser = browser;
  }

  /** @param more switches of Chromium's own */
  static async open(url: string, seeded: Seeded, more: readonly string[] = []): Promise<Visitor> {
    return new Visitor(url, seeded, await openBrowser([...switches, ...more]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }

  /** In the organization of the bench, or in the demo. Pages do not refresh by themselves. */
  async page(place: "bench" | "demo" = "bench"): Promise<Page> {
    const context = await this.#browser.newContext({
      baseURL: this.#url,
      viewport: { width: 1440, height: 900 },
    });
    const session = place === "demo" ? { "flamekeep.demo": "true" } : await this.#seeded.signIn();
    const stored = { ...session, "flamekeep.auto_refresh": "off" };
    await context.addInitScript((items) => {
      for (const [key, value] of Object.entries(items))
        if (value !== undefined) localStorage.setItem(key, value);
    }, stored);
    return context.newPage();
  }
}
