import { useState } from "react";

interface Tried {
  readonly data: unknown;
  readonly error: Error | null;
}

/**
 * The last error of a query without data, until it succeeds. The query itself drops its error on each retry, so a page that
 * refetches every second would flicker between error and skeleton.
 */
export function useLastError({ data, error }: Tried): Error | null {
  const [last, setLast] = useState<Error | null>(null);
  const current = data === undefined ? (error ?? last) : null;
  if (current !== last) setLast(current);
  return current;
}
