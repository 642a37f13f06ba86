/** `2026-11-20 12:00 UTC` */
export function minuteText(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}

const hoursOfDays = 48;

/** `40 minutes`, `5 hours`, `3 days`: about how long something takes. */
export function durationText(hours: number): string {
  const [count, unit] =
    hours < 1
      ? [5 * Math.max(1, Math.round(hours * 12)), "minute"]
      : hours < hoursOfDays
        ? [Math.round(hours), "hour"]
        : [Math.round(hours / 24), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
