import { Failure } from "#failure";
import type { Encoded } from "./encode/encoded.ts";

/**
 * The answer to a request of which not everything was stored: a failure after which the sender sends it again, if there is one.
 * Otherwise the refusal, with the place of its profile in the request.
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
