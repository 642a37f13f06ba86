/** The error at the end of a chain of causes. */
export function deepestCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? deepestCause(error.cause) : error;
}
