import { type ComponentType, lazy } from "react";
import { fromBase } from "#url/base-path.ts";
import { noteReachability } from "./reachability.ts";

const pauseMs = 2000;

/**
 * Loads the module of a page. If the server does not respond, for example during a restart, waits for it: the router reloads
 * the whole page after a failed import, which would show the browser's error page. If the server responds but does not have
 * the module, it serves a newer build, and the router's reload is correct.
 */
export async function importPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    while (!(await isServerUp())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return load();
  }
}

/** A component whose module is loaded when it is first shown. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await importPage(load) }));
}

/** As `importPage`, once: further calls get the same module. After a failure the next call tries again. */
export function importOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= importPage(load).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function isServerUp(): Promise<boolean> {
  try {
    const { ok } = await fetch(fromBase("/healthz"), { cache: "no-store" });
    noteReachability(true);
    return ok;
  } catch {
    noteReachability(false);
    return false;
  }
}
