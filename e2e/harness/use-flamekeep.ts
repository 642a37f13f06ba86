import type { BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, inject } from "vitest";
import { openSignedIn, type SignedIn } from "./account.ts";
import { type Browser, openBrowser, openPage, type PageOptions, type WatchedPage } from "./browser.ts";
import { openSeeded, type SeededPage } from "./seed.ts";
import type { Flamekeep } from "./start-flamekeep.ts";

/** A server for the tests of a file, and pages on it. They close after the test, or after the file if a hook opened them. */
export interface UsedFlamekeep {
  readonly url: string;
  /** A page in a separate session. */
  open(options?: PageOptions): Promise<WatchedPage>;
  /** A page of a new person in a new organization. */
  openSignedIn(options?: PageOptions): Promise<SignedIn>;
  /** A page of a new person whose service checkout sent profiles and requests. */
  openSeeded(): Promise<SeededPage>;
}

/** The server without the demo that all files share. Ready in tests, and in hooks that are registered later. */
export function useFlamekeep(): UsedFlamekeep {
  return usePages(() => inject("flamekeepUrl"));
}

/** The server with the demo, which nobody changes: the files that use it share it. */
export function useDemo(): UsedFlamekeep {
  let url: string;
  beforeAll(async () => {
    const reply = await fetch(inject("demoStarterUrl"));
    url = await reply.text();
    if (!reply.ok) throw new Error(url);
  });
  return usePages(() => url);
}

/** A server of the file alone, which ends with it. */
export function useOwnServer(start: () => Promise<Flamekeep>): UsedFlamekeep {
  let flamekeep: Flamekeep;
  beforeAll(async () => {
    flamekeep = await start();
  });
  afterAll(() => flamekeep?.[Symbol.asyncDispose]());
  return usePages(() => flamekeep.url);
}

/** The files of a worker use one browser, which ends with the worker. */
let sharedBrowser: Promise<Browser> | undefined;

function usePages(urlOf: () => string): UsedFlamekeep {
  let browser: Browser;
  let openBefore: readonly BrowserContext[] = [];
  beforeAll(async () => {
    sharedBrowser ??= openBrowser();
    browser = await sharedBrowser;
  });
  beforeEach(() => {
    openBefore = browser.contexts();
  });
  afterEach(() => closeAll(browser.contexts().filter((context) => !openBefore.includes(context))));
  // Without a browser no test runs, and the server still has to end.
  afterAll(() => closeAll(browser?.contexts() ?? []));
  return {
    get url() {
      return urlOf();
    },
    open: (options) => openPage(browser, urlOf(), options),
    openSignedIn: (options) => openSignedIn(browser, urlOf(), options),
    openSeeded: () => openSeeded(browser, urlOf()),
  };
}

async function closeAll(contexts: readonly BrowserContext[]): Promise<void> {
  await Promise.all(contexts.map((context) => context.close()));
}
