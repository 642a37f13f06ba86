/** Days and hours in UTC; all times are Unix seconds. */
export const hourSeconds = 3600;
export const daySeconds = 86_400;

/** `YYYY-MM-DD`. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

export function hourOf(seconds: number): number {
  return seconds - (seconds % hourSeconds);
}
