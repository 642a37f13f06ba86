const pauseMs = 2000;

/**
 * The module of a page that is loaded when it is first opened. While the server is away, as when it is restarted, this
 * waits for it: the router answers a failed import by loading the address anew, which would leave the browser's own
 * error page. Where the server is there and the module is not, it has a newer build, and loading anew is right.
 */
export async function importPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    while (!(await isServerThere())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return load();
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
