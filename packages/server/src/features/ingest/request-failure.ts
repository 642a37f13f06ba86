import { Failure } from "#failure";
import type { Encoded } from "./encode/encoded.ts";

/**
 * The error for a request that was not stored completely: preferably a failure after which the sender retries, otherwise the
 * refusal with the place of its profile in the request.
 */
export function requestFailure(
  encoded: readonly Encoded[],
  results: readonly PromiseSettledResult<unknown>[],
): unknown {
  const failed = results.flatMap((result, i) =>
    result.status === "rejected" ? [{ error: result.reason as unknown, place: encoded[i]?.place }] : [],
  );
  const { error, place } = failed.find((failure) => !isRefusal(failure.error)) ?? failed[0]!;
  if (place === undefined || !isRefusal(error)) return error;
  const message = `${place}: ${error.message} Profiles of the request to which this does not apply were stored.`;
  return new Failure(error.code, message, { cause: error });
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "unprocessable";
}
