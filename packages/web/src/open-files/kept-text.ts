import { exactTime } from "#format/time.ts";

/** `Kept until Dec 1, 2026, 10:00:00 GMT` */
export function keptText(expiresAt: string): string {
  return `Kept until ${exactTime(expiresAt)}`;
}
