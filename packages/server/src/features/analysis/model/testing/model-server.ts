import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Wire = "anthropic" | "openai";

/** Answers one request. */
export type Script = (reply: ServerResponse, request: Received) => void;

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface ModelServer {
  /** The base URL of a setting. */
  readonly url: string;
  readonly received: Received[];
  /** The next requests are answered by these, in order. */
  next(...scripts: readonly Script[]): void;
  /** Settles when a request was received. */
  arrival(): Promise<void>;
  close(): Promise<void>;
}

/** A local server with the wire format of a provider: https://docs.anthropic.com/en/api/messages, and OpenAI's chat completions. */
export async function startModelServer(): Promise<ModelServer> {
  const scripts: Script[] = [];
  const received: Received[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", headers } = request;
      const got = { path: url, headers, body: Buffer.concat(chunks).toString() };
      received.push(got);
      const script = scripts.shift();
      if (script === undefined) reply.writeHead(500).end("no script");
      else script(reply, got);
      arrived.resolve();
      arrived = Promise.withResolvers<void>();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    next: (...more) => void scripts.push(...more),
    arrival: () => arrived.promise,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const usage = { input: 1200, output: 300 };
/** Of every good answer. */
export const tokensPerAnswer = usage.input + usage.output;

/** A whole answer with this text. */
export function answer(wire: Wire, text: string, finish: "stop" | "length" = "stop"): Script {
  return (reply) =>
    sendJson(reply, 200, wire === "anthropic" ? message(text, finish) : completion(text, finish));
}

function message(text: string, finish: "stop" | "length") {
  return {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "test-model",
    content: [{ type: "text", text }],
    stop_reason: finish === "stop" ? "end_turn" : "max_tokens",
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  };
}

function completion(text: string, finish: "stop" | "length") {
  return {
    id: "chatcmpl-01",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "test-model",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }],
    usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: tokensPerAnswer },
  };
}

export function failure(wire: Wire, status: number, headers: Readonly<Record<string, string>> = {}): Script {
  const body =
    wire === "anthropic"
      ? { type: "error", error: { type: "api_error", message: "No." } }
      : { error: { message: "No.", type: "server_error", param: null, code: null } };
  return (reply) => sendJson(reply, status, body, headers);
}

/** An answer as server-sent events, one per part of the text. */
export function stream(wire: Wire, parts: readonly string[], { isCutOff = false } = {}): Script {
  return (reply) => {
    reply.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of wire === "anthropic" ? messageEvents(parts) : completionEvents(parts))
      reply.write(event);
    if (isCutOff) {
      reply.destroy();
      return;
    }
    for (const event of wire === "anthropic" ? messageEnd() : completionEnd()) reply.write(event);
    reply.end();
  };
}

const named = (event: { readonly type: string }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function messageEvents(parts: readonly string[]): string[] {
  const start = { ...message("", "stop"), content: [], stop_reason: null };
  return [
    { type: "message_start", message: start },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    ...parts.map((text) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text },
    })),
  ].map(named);
}

function messageEnd(): string[] {
  return [
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: usage.output },
    },
    { type: "message_stop" },
  ].map(named);
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const { id, created, model } = completion("", "stop");
  return `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices })}\n\n`;
}

function completionEvents(parts: readonly string[]): string[] {
  return [chunk({ role: "assistant", content: "" }), ...parts.map((content) => chunk({ content }))];
}

function completionEnd(): string[] {
  const { id, created, model, usage: used } = completion("", "stop");
  const last = { id, object: "chat.completion.chunk", created, model, choices: [], usage: used };
  return [chunk({}, "stop"), `data: ${JSON.stringify(last)}\n\n`, "data: [DONE]\n\n"];
}

function sendJson(
  reply: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  reply.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
