import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  answer,
  type ModelServer,
  startModelServer,
  stream,
} from "@flamekeep/server/analysis/model/testing/model-server.ts";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSignedIn } from "./harness/account.ts";
import { openBrowser, visit } from "./harness/browser.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { freePort, startFlamekeep } from "./harness/start-flamekeep.ts";

const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-restart-"));
let model: ModelServer;
let browser: Browser;

beforeAll(async () => {
  [model, browser] = await Promise.all([startModelServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await model?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** An answer of the model about a function. */
function advice(name: string) {
  const recommendation = {
    category: "cpu_optimization",
    priority: "high",
    confidence: 0.8,
    functions: [name],
    ...{
      issue: "Prices are hashed for every quote.",
      impact: "Most of the CPU.",
      solution: "Hash them once.",
    },
    code_example: "var sealed = seal(prices)",
  };
  return answer("openai", JSON.stringify({ recommendations: [recommendation] }));
}

/** Asks a question about the analysis on show, which the model answers with a link and HTML. */
async function expectPlainAnswer(panel: Locator): Promise<void> {
  const questions = panel.getByRole("region", { name: "Questions" });
  model.next(
    stream("openai", [
      "Hash <b>once</b>: [see",
      " this](https://example.com/x) and https://exam",
      "ple.com/y.",
    ]),
  );
  await questions.getByLabel("Ask about this analysis").fill("What would help?");
  await questions.getByRole("button", { name: "Ask" }).click();
  await questions.getByText("What would help?", { exact: true }).waitFor();
  await questions.getByText(/^Hash <b>once<\/b>: see this \(link removed\) and \(link removed\)/).waitFor();
  expect(await questions.locator("a, b, img").count()).toBe(0);
}

test("an analysis survives a restart of the server, and its panel recovers by itself and answers questions as plain text", async () => {
  const port = await freePort();
  const settings = { LLM_PROVIDER: "openai", LLM_BASE_URL: model.url, LLM_MODEL: "local-model" };
  const options = { dataDir, port, env: { DEMO: "off", ...settings } };
  const { body, truth } = recordedCpuProfile();
  const [hottest] = truth.by_flat;
  if (hottest === undefined) throw new Error("the recorded profile has no functions");
  // The first request to the model stays without an answer.
  model.next(() => {}, advice(hottest.name));

  const first = await startFlamekeep(options);
  const { page, account } = await openSignedIn(browser, first.url);
  const id = await account.send(body, `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`);
  await visit(page, `/profile/${id}`);
  const panel = page.locator("#ai-analysis");
  const asked = model.arrival();
  await panel.getByRole("button", { name: "Start Analysis" }).click();
  await panel.getByText("AI is analyzing your profile...").waitFor();
  await asked;

  expect(await first.stop("SIGTERM")).toBe(0);
  await page.waitForRequest((request) => request.url().includes("/api/v1/protected/analysis/"));
  await panel.getByText("AI is analyzing your profile...").waitFor();
  await using second = await startFlamekeep(options);
  expect(second.url).toBe(first.url);

  await panel.getByText("Prices are hashed for every quote.").waitFor({ timeout: 60_000 });
  await panel.getByText("OpenAI-compatible model · local-model").waitFor();
  expect(model.received).toHaveLength(2);
  await expectPlainAnswer(panel);
  await page.context().close();
});
