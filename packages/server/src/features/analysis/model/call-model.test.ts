import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { type AnswerPart, generateReply, type Prompt, streamAnswer } from "./call-model.ts";
import type { ModelReply } from "./model-reply.ts";
import { openModel } from "./providers.ts";
import {
  answer,
  failure,
  type ModelServer,
  type Script,
  startModelServer,
  stream,
  tokensPerAnswer,
  type Wire,
} from "./testing/model-server.ts";

const prompt: Prompt = { instructions: "Read the profile.", messages: [{ role: "user", content: "Data." }] };
const reply: ModelReply = {
  recommendations: [
    {
      category: "cpu_optimization",
      priority: "high",
      confidence: 0.9,
      issue: "Slow.",
      impact: "Much.",
      solution: "Less.",
      code_example: null,
      functions: ["main.work"],
    },
  ],
};
const good = JSON.stringify(reply);
/** A model that the SDK knows to answer by a schema, as current ones do. */
const models: Readonly<Record<Wire, string>> = { anthropic: "claude-sonnet-4-5", openai: "local-model" };

describe.each(["anthropic", "openai"] as const)("calls of %s", (wire) => {
  let server: ModelServer;
  const pauses: number[] = [];
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  function open() {
    const env = {
      LLM_PROVIDER: wire,
      LLM_BASE_URL: server.url,
      LLM_API_KEY: "the-key",
      LLM_MODEL: models[wire],
    };
    return openModel(readConfig(env));
  }

  async function generate(...scripts: readonly Script[]) {
    pauses.length = 0;
    server.received.length = 0;
    server.next(...scripts);
    const wait = async (ms: number) => void pauses.push(ms);
    return generateReply(await open(), prompt, { signal: new AbortController().signal, wait });
  }

  it("send the instructions, the data, the schema and the key, without tools", async () => {
    expect(await generate(answer(wire, good))).toEqual({ reply, tokensUsed: tokensPerAnswer });
    const [{ path, headers, body }] = server.received as [(typeof server.received)[number]];
    const sent = JSON.parse(body);
    expect(path).toBe(wire === "anthropic" ? "/v1/messages" : "/v1/chat/completions");
    expect(wire === "anthropic" ? headers["x-api-key"] : headers.authorization).toMatch(
      /(^|Bearer )the-key$/,
    );
    expect(sent.model).toBe(models[wire]);
    expect(body).toContain("Read the profile.");
    expect(body).toContain("code_example");
    expect(sent.tools).toBeUndefined();
    expect(sent.stream ?? false).toBe(false);
  });

  it("are repeated after 429 and 5xx, with growing pauses or the one that the provider asks for", async () => {
    const refused = [failure(wire, 429, { "retry-after": "7" }), failure(wire, 503)];
    expect((await generate(...refused, answer(wire, good))).reply).toEqual(reply);
    expect(pauses).toEqual([7_000, 4_000]);
    expect(server.received).toHaveLength(3);
  });

  it.each([
    [429, 3, "The language model is over its rate limit or quota. Try again later."],
    [500, 3, "The service of the language model failed with status 500. Try again later."],
    [401, 1, "The language model rejected the server's key. Ask the operator to check LLM_API_KEY."],
    [
      404,
      1,
      "The language model does not exist at the configured address. Ask the operator to check LLM_MODEL and LLM_BASE_URL.",
    ],
    [400, 1, "The language model rejected the request with status 400. Ask the operator to check LLM_MODEL."],
  ])("that end with %d fail after %d tries with a sentence", async (status, tries, message) => {
    const scripts = Array.from({ length: tries }, () => failure(wire, status));
    await expect(generate(...scripts)).rejects.toThrow(message);
    expect(server.received).toHaveLength(tries);
  });

  it("are not repeated if the provider asks for a longer pause than an analysis may take", async () => {
    await expect(generate(failure(wire, 429, { "retry-after": "3600" }))).rejects.toThrow(
      "rate limit or quota",
    );
    expect(pauses).toEqual([]);
  });

  it.each([
    ["that is no JSON", "I would rather talk about the weather."],
    ["that breaks the schema", JSON.stringify({ recommendations: [{ category: "disk" }] })],
  ])("fail on an answer %s, and count its tokens", async (_, text) => {
    await expect(generate(answer(wire, text))).rejects.toMatchObject({
      tokensUsed: tokensPerAnswer,
      cause: { message: "The answer of the language model did not have the expected form. Try again later." },
    });
  });

  it("fail on an answer that is cut off at its longest", async () => {
    await expect(generate(answer(wire, good.slice(0, 60), "length"))).rejects.toMatchObject({
      cause: { message: "The answer of the language model was cut off. Try again later." },
    });
  });

  it("stop reading an answer that is too long", async () => {
    const endless: Script = (to) => {
      to.writeHead(200, { "content-type": "application/json" });
      to.on("error", () => undefined);
      const write = () => {
        while (!to.destroyed && to.write(" ".repeat(65_536)));
      };
      to.on("drain", write);
      write();
    };
    await expect(generate(endless)).rejects.toThrow("The answer of the language model was too long.");
  });

  it("fail if the connection ends within the answer, or if bytes are no HTTP body of the API", async () => {
    const cut: Script = (to) => {
      to.writeHead(200, { "content-type": "application/json", "content-length": "100000" });
      to.write('{"id":', () => to.destroy());
    };
    await expect(generate(cut)).rejects.toThrow(
      /could not be reached, or its answer ended early|expected form/,
    );
    const page: Script = (to) => to.writeHead(200, { "content-type": "text/html" }).end("<h1>Proxy</h1>");
    await expect(generate(page)).rejects.toThrow(/expected form/);
  });

  it("do not follow a redirection, which could take the key elsewhere", async () => {
    const away: Script = (to) => to.writeHead(307, { location: `${server.url}/elsewhere` }).end();
    await expect(generate(away, answer(wire, good))).rejects.toThrow("could not be reached");
    expect(server.received).toHaveLength(1);
    await expect(generate()).resolves.toMatchObject({ reply });
  });

  it("are ended when their time is over, and when the analysis is", async () => {
    const silent: Script = () => undefined;
    for (const [kind, message] of [
      ["timeout", "The language model did not answer in time."],
      ["signal", "The server stops."],
    ] as const) {
      const ending = new AbortController();
      server.next(silent);
      const arrived = server.arrival();
      const options = {
        signal: kind === "signal" ? ending.signal : new AbortController().signal,
        timeout: () => (kind === "timeout" ? ending.signal : new AbortController().signal),
      };
      const result = generateReply(await open(), prompt, options);
      const failed = expect(result).rejects.toThrow(message);
      await arrived;
      ending.abort(new Error("The server stops."));
      await failed;
    }
  });

  async function read(script: Script, onPart?: () => void) {
    server.next(script);
    const parts: AnswerPart[] = [];
    const options = { signal: new AbortController().signal };
    for await (const part of streamAnswer(await open(), prompt, options)) {
      parts.push(part);
      onPart?.();
    }
    return parts;
  }

  it("stream an answer part by part, with its tokens at the end", async () => {
    const parts = await read(stream(wire, ["Use ", "a pool."]));
    expect(parts.filter((part) => "text" in part)).toEqual([{ text: "Use " }, { text: "a pool." }]);
    expect(parts.at(-1)).toEqual({ tokensUsed: tokensPerAnswer });
    expect(JSON.parse(server.received.at(-1)!.body).stream).toBe(true);
  });

  it("fail with a sentence if a stream is cut off or refused", async () => {
    await expect(read(stream(wire, ["Use "], { isCutOff: true }))).rejects.toThrow(
      "could not be reached, or its answer ended early",
    );
    await expect(read(failure(wire, 500))).rejects.toThrow("failed with status 500");
  });
});
