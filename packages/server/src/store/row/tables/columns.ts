/** `2026-11-20T10:00:00.000Z`, as `Date.toISOString()` writes it. */
export type Timestamp = string;
export type Flag = 0 | 1;
