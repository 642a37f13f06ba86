/** `2026-11-20 12:00 UTC` */
export function minuteText(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}
