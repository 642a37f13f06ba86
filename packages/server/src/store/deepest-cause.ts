/** What an error was first: the last of its chain of causes. */
export function deepestCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? deepestCause(error.cause) : error;
}
