const hourMs = 3_600_000;

/** Search of a comparison whose sides are the same two hours around now, so that a new profile is on both. */
export function sameSides(nowMs = Date.now()): string {
  const [from, to] = [nowMs - hourMs, nowMs + hourMs].map((ms) => new Date(ms).toISOString());
  return `before_from=${from}&before_to=${to}&after_from=${from}&after_to=${to}`;
}
