import { Failure } from "#failure";

/** Ends the wait for a call when the server stops. */
export async function unlessStopped<T>(call: Promise<T>, stopped: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new NoOwner());
  stopped.addEventListener("abort", end);
  try {
    return await Promise.race([call, promise]);
  } finally {
    stopped.removeEventListener("abort", end);
  }
}

/** Nothing was stored. */
export class NoOwner extends Failure {
  constructor() {
    super(
      "unavailable",
      "The servers of this installation are changing, and none takes uploads of this service yet. Send it again in a moment.",
      { retryAfterSeconds: 5 },
    );
  }
}
