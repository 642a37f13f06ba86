import { setTimeout as sleep } from "node:timers/promises";
import {
  APICallError,
  generateText,
  type LanguageModel,
  NoObjectGeneratedError,
  Output,
  RetryError,
  streamText,
} from "ai";
import { SpentError } from "#analysis/analysers/analyser.ts";
import { Failure } from "#failure";
import { AnswerTooLarge } from "./bounded-fetch.ts";
import { ModelReply } from "./model-reply.ts";

/** One call; a retry has its own. */
const callMsMax = 60_000;
const answerTokensMax = 8_000;

export interface Prompt {
  readonly instructions: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

export interface CallOptions extends RetryOptions {
  /** Replaced in tests. */
  readonly timeout?: () => AbortSignal;
}

export interface Generated {
  readonly reply: ModelReply;
  readonly tokensUsed: number;
}

/** The model gets no tools: it can do nothing but answer. Throws a Failure with a sentence for people. */
export async function generateReply(
  model: LanguageModel,
  prompt: Prompt,
  { signal, wait, timeout = () => AbortSignal.timeout(callMsMax) }: CallOptions,
): Promise<Generated> {
  let limit = timeout();
  const call = async () => {
    limit = timeout();
    const result = await generateText({
      model,
      ...toRequest(prompt),
      output: Output.object({ schema: ModelReply }),
      abortSignal: AbortSignal.any([signal, limit]),
    });
    return { reply: result.output, tokensUsed: result.usage.totalTokens ?? 0 };
  };
  try {
    return await withRetry(call, { signal, ...(wait === undefined ? {} : { wait }) });
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = modelFailure(error, { isTimeout: limit.aborted });
    const tokensUsed = NoObjectGeneratedError.isInstance(error) ? (error.usage?.totalTokens ?? 0) : 0;
    throw tokensUsed > 0 ? new SpentError(failure, tokensUsed) : failure;
  }
}

/** The parts of an answer as they come. */
export type AnswerPart = { readonly text: string } | { readonly tokensUsed: number };

/** Ends with the number of tokens. Throws a Failure with a sentence for people. */
export async function* streamAnswer(
  model: LanguageModel,
  prompt: Prompt,
  { signal, timeout = () => AbortSignal.timeout(callMsMax) }: CallOptions,
): AsyncGenerator<AnswerPart> {
  const limit = timeout();
  try {
    const { fullStream } = streamText({
      model,
      ...toRequest(prompt),
      abortSignal: AbortSignal.any([signal, limit]),
      // Errors are parts of the stream; without this they would also be printed.
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw (limit.aborted ? limit : signal).reason;
      if (part.type === "text-delta") yield { text: part.text };
      if (part.type === "finish") yield { tokensUsed: part.totalUsage.totalTokens ?? 0 };
    }
  } catch (error) {
    throw modelFailure(error, { isTimeout: limit.aborted });
  }
}

function toRequest({ instructions, messages }: Prompt) {
  return {
    instructions,
    messages: [...messages],
    maxRetries: 0,
    maxOutputTokens: answerTokensMax,
  };
}

const attemptsMax = 3;
const firstWaitMs = 1_000;
const waitMsMax = 20_000;

interface RetryOptions {
  readonly signal: AbortSignal;
  /** Replaced in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Repeats a call that the provider refused for the moment (429, 5xx) after a growing pause, or after the one it asks for. */
async function withRetry<T>(call: () => Promise<T>, { signal, wait = waitFor }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt);
      if (pauseMs === undefined || attempt >= attemptsMax || signal.aborted) throw error;
      await wait(pauseMs, signal);
    }
  }
}

/** Milliseconds; undefined if another try would fail the same way. */
function pauseAfter(error: unknown, attempt: number): number | undefined {
  const call = causesOf(error).find((each) => APICallError.isInstance(each));
  const status = call?.statusCode ?? 0;
  if (status !== 429 && status < 500) return undefined;
  const asked = Number(call?.responseHeaders?.["retry-after"]) * 1000;
  // A longer pause than this outlasts the analysis.
  if (asked > waitMsMax) return undefined;
  return Math.max(Number.isFinite(asked) ? asked : 0, firstWaitMs * 4 ** (attempt - 1));
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

const tryLater = "Try again later.";

/** The failure of a call of a language model, as a sentence for people. The cause goes to the log. */
function modelFailure(error: unknown, { isTimeout }: { readonly isTimeout: boolean }): Failure {
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
    return fail("The language model rejected the server's key. Ask the operator to check LLM_API_KEY.");
  }
  if (status === 404) {
    return fail(
      "The language model does not exist at the configured address. Ask the operator to check LLM_MODEL and LLM_BASE_URL.",
    );
  }
  if (status === 429) return fail(`The language model is over its rate limit or quota. ${tryLater}`);
  if (status >= 500)
    return fail(`The service of the language model failed with status ${status}. ${tryLater}`);
  if (status >= 400) {
    return fail(
      `The language model rejected the request with status ${status}. Ask the operator to check LLM_MODEL.`,
    );
  }
  return fail(`The answer of the language model did not have the expected form. ${tryLater}`);
}

/** The error and what caused it. */
function causesOf(error: unknown): unknown[] {
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
