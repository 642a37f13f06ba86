import {
  type Analysis,
  type AnswerEvent,
  answerContentType,
  askAboutAnalysis,
  limits,
} from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { callRaw } from "#api/call.ts";
import { CallFailure } from "#api/reply.ts";
import { Button } from "#ui/controls/button.tsx";
import { Input } from "#ui/controls/input.tsx";

interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** Questions about an analysis, which the language model answers. Answers are shown as plain text. */
export function AskPanel({ analysis }: { readonly analysis: Analysis }) {
  const [question, setQuestion] = useState("");
  const [earlier, setEarlier] = useState<readonly Exchange[]>([]);
  const [partial, setPartial] = useState("");
  const ask = useMutation({
    mutationFn: (asked: string) => answerTo(analysis.id, asked, earlier, setPartial),
    onSuccess(answer, asked) {
      setEarlier([...earlier, { question: asked, answer }]);
      setQuestion("");
    },
    onSettled: () => setPartial(""),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (question.trim() !== "" && !ask.isPending) ask.mutate(question.trim());
  }

  return (
    <section aria-label="Questions" className="border-line border-t px-4 py-3">
      <ol aria-live="polite" className="flex flex-col gap-3">
        {earlier.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: exchanges are only ever added
          <ExchangeItem key={index} {...each} />
        ))}
        {ask.isPending && <ExchangeItem question={ask.variables} answer={partial === "" ? "…" : partial} />}
      </ol>
      {ask.error && (
        <p role="alert" className="mt-2 text-critical-text">
          {ask.error.message}
        </p>
      )}
      <form onSubmit={submit} className="mt-2 flex gap-2">
        <Input
          aria-label="Ask about this analysis"
          placeholder="Ask about this analysis"
          maxLength={limits.questionLengthMax}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <Button type="submit" disabled={ask.isPending || question.trim() === ""}>
          Ask
        </Button>
      </form>
    </section>
  );
}

function ExchangeItem({ question, answer }: Exchange) {
  return (
    <li>
      <p className="font-medium [overflow-wrap:anywhere]">{question}</p>
      <p className="mt-1 max-w-[75ch] whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{answer}</p>
    </li>
  );
}

/** As long as the server waits for the model. */
const answerTimeoutMs = 90_000;

async function answerTo(
  id: string,
  question: string,
  earlier: readonly Exchange[],
  onText: (text: string) => void,
): Promise<string> {
  const response = await callRaw(askAboutAnalysis, {
    params: { id },
    body: { question, earlier: earlier.slice(-limits.earlierQuestionsMax) },
    accept: answerContentType,
    timeoutMs: answerTimeoutMs,
  });
  if (response.body === null) return "";
  return readAnswer(response.body, onText);
}

/** Reads a streamed answer and reports its text as it grows. Throws the reason if the answer ends early. */
export async function readAnswer(
  body: ReadableStream<Uint8Array>,
  onText: (text: string) => void,
): Promise<string> {
  let text = "";
  for await (const event of eventsOf(body)) {
    if (event.type === "done") return text;
    if (event.type === "failed") throw new CallFailure("unavailable", event.error);
    text += event.text;
    onText(text);
  }
  throw new CallFailure("unavailable", "The answer was cut off. Ask again.");
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith(dataPrefix)) yield JSON.parse(line.slice(dataPrefix.length)) as AnswerEvent;
    }
  }
}

const dataPrefix = "data:";
