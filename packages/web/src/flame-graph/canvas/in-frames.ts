/** Time for the work within each animation frame. */
const budgetMs = 4;

/**
 * Runs steps at once, or a few milliseconds of them in each animation frame, so that drawing goes on.
 *
 * @returns stops the run
 */
export function runInFrames<T>(
  steps: Generator<void, T>,
  isAtOnce: boolean,
  onDone: (value: T) => void,
): () => void {
  let frame = 0;
  const run = (untilMs: number) => {
    do {
      const step = steps.next();
      if (step.done === true) return onDone(step.value);
    } while (performance.now() < untilMs);
    frame = requestAnimationFrame(inNextFrame);
  };
  const inNextFrame = () => run(performance.now() + budgetMs);
  if (isAtOnce) run(Number.POSITIVE_INFINITY);
  else frame = requestAnimationFrame(inNextFrame);
  return () => cancelAnimationFrame(frame);
}

/** Trees up to this size are walked synchronously, which takes a fraction of a millisecond. */
export const nodesAtOnce = 20_000;
