/** The most time that counts between two readings of the clock: a longer gap shows that this process was suspended. */
const stepMsDefault = 1000;

/**
 * Calls back after this process ran for `ms`. Time in which it was suspended hardly counts, so that work that finished
 * meanwhile is still noticed. Returns a function that cancels it.
 */
export function callAfterRunning(ms: number, callback: () => void, stepMs = stepMsDefault): () => void {
  let leftMs = ms;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const from = performance.now();
    timer = setTimeout(
      () => {
        leftMs -= Math.min(performance.now() - from, stepMs);
        if (leftMs > 0) wait();
        // Replies that arrived while this process did not run are read after the timers.
        else setImmediate(callback);
      },
      Math.min(leftMs, stepMs),
    );
  };
  wait();
  return () => clearTimeout(timer);
}
