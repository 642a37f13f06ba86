const hourMs = 3_600_000;

/** Search of the comparison of the last hour with itself, which a profile of a new service is in on both sides. */
export function sameSides(nowMs = Date.now()): string {
  const [from, to] = [nowMs - hourMs, nowMs + hourMs].map((ms) => new Date(ms).toISOString());
  return `before_from=${from}&before_to=${to}&after_from=${from}&after_to=${to}`;
}
