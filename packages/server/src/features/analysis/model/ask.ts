import { Readable } from "node:stream";
import { type AnswerEvent, answerContentType, type askAboutAnalysis, limits } from "@flamekeep/contract";
import type { LanguageModel } from "ai";
import { examine } from "#analysis/analysers/examine.ts";
import { withoutHidden, withoutLinks } from "#analysis/analysers/untrusted-text.ts";
import { countUsage, modelTokens, refuseModelCall } from "#analysis/queue/usage.ts";
import { readAnalysis } from "#analysis/store/queries.ts";
import { optionsOf, subjectOf } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { Failure, rateLimited, unprocessable } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { FileReply } from "#http/reply/reply.ts";
import { lockOrganization } from "#store/row/organization-lock.ts";
import type { CallOptions, Prompt } from "./call-model.ts";
import { type ModelSource, promptInput, questionPrompt } from "./prompt.ts";

/** A longer word is cut: an answer without white space would be searched from its start with each part. */
const wordLengthMax = 1000;

/** Removes links and hidden characters from a text that arrives in parts, also where a link is split between two parts. */
export class PlainStream {
  /** The text after the last white space. */
  #word = "";
  #lengthLeft: number;

  constructor(lengthMax: number) {
    this.#lengthLeft = lengthMax;
  }

  /** The text that can be shown now, up to the last white space. */
  add(part: string): string {
    const end = Math.max(part.lastIndexOf(" "), part.lastIndexOf("\n")) + 1;
    const words = end === 0 ? "" : this.#word + part.slice(0, end);
    this.#word = ((end === 0 ? this.#word : "") + part.slice(end)).slice(0, wordLengthMax + 1);
    return this.#take(words);
  }

  /** The last word. */
  end(): string {
    return this.#take(this.#word);
  }

  #take(text: string): string {
    const words = text.slice(0, 4 * this.#lengthLeft).replace(/\S+/g, shortened);
    const plain = withoutLinks(withoutHidden(words)).slice(0, this.#lengthLeft);
    this.#lengthLeft -= plain.length;
    return plain;
  }
}

function shortened(word: string): string {
  return word.length > wordLengthMax ? `${word.slice(0, wordLengthMax)}…` : word;
}

/** Questions of one organization that this process answers at a time. */
const questionsMax = 2;
/** An estimate, for answers whose reader leaves before the provider reports the number of tokens. */
const charactersPerToken = 4;

/** Questions about completed analyses, with the data and the limits of an analysis. */
export function createAsk({ open, call = {} }: ModelSource): Operation<typeof askAboutAnalysis> {
  const asking = new Map<string, number>();
  const count = (orgId: string, change: 1 | -1) => {
    const now = (asking.get(orgId) ?? 0) + change;
    if (now > 0) asking.set(orgId, now);
    else asking.delete(orgId);
  };
  return async (ctx, actor, { id, ...question }) => {
    const { orgId } = actor;
    const row = await readAnalysis(ctx.rows, orgId, id);
    if (ctx.config.llm.provider === "builtin" || orgId === ctx.demo?.orgId) {
      throw unprocessable(
        "This server has no language model. Its operator can configure one (LLM_PROVIDER).",
      );
    }
    if (row.status !== "completed") throw unprocessable("Ask questions after the analysis has completed.");
    if ((asking.get(orgId) ?? 0) >= questionsMax) {
      throw rateLimited(
        `Your organization has ${questionsMax} questions in progress. Try again in a moment.`,
        5,
      );
    }
    count(orgId, 1);
    try {
      await countQuestion(ctx, orgId);
      const task = { row, subject: subjectOf(row), options: optionsOf(row) };
      const [examined, model] = await Promise.all([examine(ctx, task), open()]);
      const prompt = questionPrompt(await promptInput(ctx, task, examined), question);
      ctx.log.info({ orgId, userId: actor.userId, analysisId: id }, "question about an analysis");
      return eventStream(ctx, orgId, { model, prompt, call }, () => count(orgId, -1));
    } catch (error) {
      count(orgId, -1);
      throw error;
    }
  };
}

async function countQuestion({ rows, config, now, metrics }: Context, orgId: string): Promise<void> {
  const at = now();
  await rows.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, orgId);
    await refuseModelCall(transaction, { orgId, limits: config.organization, at, metrics });
    await countUsage(transaction, orgId, { analyses: 0, modelCalls: 1, tokens: 0 }, at);
  });
}

interface Asked {
  readonly model: LanguageModel;
  readonly prompt: Prompt;
  readonly call: Omit<CallOptions, "signal">;
}

/** The answer as server-sent events. The model is stopped if the reader leaves. */
function eventStream(ctx: Context, orgId: string, asked: Asked, ended: () => void): FileReply {
  const readerLeft = new AbortController();
  const events = answerEvents(ctx, orgId, asked, readerLeft.signal);
  const body = Readable.from(events).once("close", () => {
    readerLeft.abort();
    ended();
  });
  return new FileReply(`${answerContentType}; charset=utf-8`, body, {
    // Otherwise nginx buffers the events.
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

async function* answerEvents(
  ctx: Context,
  orgId: string,
  { model, prompt, call }: Asked,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const plain = new PlainStream(limits.answerLengthMax);
  let characters = JSON.stringify(prompt).length;
  let tokens: number | undefined;
  const toEvent = (event: AnswerEvent) => `data: ${JSON.stringify(event)}\n\n`;
  const toText = (text: string) => (text === "" ? [] : [toEvent({ type: "text", text })]);
  try {
    const { streamAnswer } = await import("./call-model.ts");
    for await (const part of streamAnswer(model, prompt, { ...call, signal })) {
      if ("tokensUsed" in part) {
        tokens = part.tokensUsed;
        continue;
      }
      characters += part.text.length;
      yield* toText(plain.add(part.text));
    }
    yield* toText(plain.end());
    yield toEvent({ type: "done", tokens_used: tokens ?? 0 });
  } catch (error) {
    if (signal.aborted) return;
    ctx.log.warn({ err: error, orgId }, "question about an analysis not answered");
    const message = error instanceof Failure ? error.message : "The answer failed because of a server error.";
    yield toEvent({ type: "failed", error: message });
  } finally {
    const used = { analyses: 0, modelCalls: 0, tokens: tokens ?? Math.ceil(characters / charactersPerToken) };
    ctx.metrics.count(modelTokens.name, modelTokens.help, {}, used.tokens);
    await countUsage(ctx.rows, orgId, used, ctx.now()).catch((error: unknown) =>
      ctx.log.warn({ err: error, orgId }, "tokens of a question not counted"),
    );
  }
}
