/** A long answer has about 100 KB. */
const answerBytesMax = 2 * 1024 * 1024;

/** The answer of a model is larger than any useful one. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
}

/**
 * As `fetch`, but it reads a limited number of bytes, and does not follow redirections: the key must reach the configured
 * address only.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (response.body === null) return response;
  let read = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > answerBytesMax) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
};
