import type { AnswerEvent } from "@flamekeep/contract";
import { CallFailure } from "#api/reply.ts";

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
