import { expect, it } from "vitest";
import { readAnswer } from "./ask-panel.tsx";

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new Blob(chunks).stream();
}

/** A stream that delivers the text in pieces of so many bytes, which may cut a character. */
function pieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

const done = 'data: {"type":"done","tokens_used":12}\n\n';

it.each([1, 3, 7, 1000])("reads the text as it grows, in pieces of %d bytes", async (size) => {
  const seen: string[] = [];
  const events = `data: {"type":"text","text":"Pool "}\n\ndata: {"type":"text","text":"größer"}\n\n${done}`;
  expect(await readAnswer(pieces(events, size), (text) => seen.push(text))).toBe("Pool größer");
  expect(seen).toEqual(["Pool ", "Pool größer"]);
});

it("ignores comments that keep the connection open", async () => {
  expect(await readAnswer(streamOf(": waiting\n\n", done), () => {})).toBe("");
});

it("fails with the server's reason, or if the answer is cut off", async () => {
  const failed = 'data: {"type":"failed","error":"The model is busy."}\n\n';
  await expect(readAnswer(streamOf(failed), () => {})).rejects.toThrow("The model is busy.");
  await expect(readAnswer(streamOf('data: {"type":"text","text":"a"}\n\n'), () => {})).rejects.toThrow(
    "The answer was cut off. Ask again.",
  );
});
