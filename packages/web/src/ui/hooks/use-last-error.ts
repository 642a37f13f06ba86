import { useState } from "react";

interface Tried {
  readonly data: unknown;
  readonly error: Error | null;
}

/**
 * Why a query that has nothing to show has nothing: the error of its last try, until it succeeds. The query itself
 * forgets the error when it tries again, and what tries every second would flicker between error and skeleton.
 */
export function useLastError({ data, error }: Tried): Error | null {
  const [last, setLast] = useState<Error | null>(null);
  const known = data === undefined ? (error ?? last) : null;
  if (known !== last) setLast(known);
  return known;
}
