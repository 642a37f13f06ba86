import type { Page } from "@flamekeep/e2e/browser";

/**
 * Holds the replies to the calls that match, and changes them.
 * @param call their address, with `*` for any text
 * @returns what lets them reach the page
 */
export async function holdReply<T>(page: Page, call: string, changed: (reply: T) => T): Promise<() => void> {
  // Not with `page.route`: it turns the cache off and sends every request of the page through this process.
  const devTools = await page.context().newCDPSession(page);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  devTools.on("Fetch.requestPaused", ({ requestId, responseStatusCode = 200, responseHeaders = [] }) => {
    const fulfil = async () => {
      const { body, base64Encoded } = await devTools.send("Fetch.getResponseBody", { requestId });
      const reply = JSON.parse(Buffer.from(body, base64Encoded ? "base64" : "utf8").toString()) as T;
      const bytes = Buffer.from(JSON.stringify(changed(reply))).toString("base64");
      // The body is no longer compressed.
      const headers = responseHeaders.filter(({ name }) => !/^content-(encoding|length)$/i.test(name));
      await answered;
      await devTools.send("Fetch.fulfillRequest", {
        requestId,
        responseCode: responseStatusCode,
        responseHeaders: headers,
        body: bytes,
      });
    };
    // A page that is closed cancels its calls, which then cannot be answered.
    fulfil().catch(() => {});
  });
  await devTools.send("Fetch.enable", { patterns: [{ urlPattern: call, requestStage: "Response" }] });
  return answer;
}
