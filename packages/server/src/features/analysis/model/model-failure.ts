import { APICallError, NoObjectGeneratedError, RetryError } from "ai";
import { Failure } from "#failure";
import { AnswerTooLarge } from "./bounded-fetch.ts";

const tryLater = "Try again later.";

/** The failure of a call of a language model, as a sentence for people. The cause goes to the log. */
export function modelFailure(error: unknown, { isTimeout }: { readonly isTimeout: boolean }): Failure {
  const fail = (message: string) => new Failure("unavailable", message, { cause: withoutRequest(error) });
  if (error instanceof Failure) return error;
  if (isTimeout) return fail(`The language model did not answer in time. ${tryLater}`);
  if (causesOf(error).some((each) => each instanceof AnswerTooLarge)) {
    return fail(`The answer of the language model was too long. ${tryLater}`);
  }
  if (NoObjectGeneratedError.isInstance(error)) {
    return fail(
      error.finishReason === "length"
        ? `The answer of the language model was cut off. ${tryLater}`
        : `The answer of the language model did not have the expected form. ${tryLater}`,
    );
  }
  const call = causesOf(error).find((each) => APICallError.isInstance(each));
  const status = call?.statusCode;
  if (status === undefined)
    return fail(`The language model could not be reached, or its answer ended early. ${tryLater}`);
  if (status === 401 || status === 403) {
    return fail("The language model refused the key of this server. Tell its operator to check LLM_API_KEY.");
  }
  if (status === 404) {
    return fail(
      "The language model does not exist at the configured address. Tell the operator to check LLM_MODEL and LLM_BASE_URL.",
    );
  }
  if (status === 429)
    return fail(`The language model has too many requests, or its quota is used up. ${tryLater}`);
  if (status >= 500)
    return fail(`The service of the language model failed with status ${status}. ${tryLater}`);
  if (status >= 400) {
    return fail(
      `The language model refused the request with status ${status}. Tell the operator of this server to check LLM_MODEL.`,
    );
  }
  return fail(`The answer of the language model did not have the expected form. ${tryLater}`);
}

/** The error and what caused it. */
export function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let each = error; each !== undefined && found.length < 8; ) {
    found.push(each);
    if (RetryError.isInstance(each)) each = each.lastError;
    else each = each instanceof Error ? each.cause : undefined;
  }
  return found;
}

/** Errors of the SDK carry the whole request, which does not belong in a log. */
function withoutRequest(error: unknown): unknown {
  if (!APICallError.isInstance(error)) return error instanceof Error ? new Error(error.message) : error;
  return new Error(`${error.message} (status ${error.statusCode ?? "none"})`);
}
