import {
  type Analysis,
  analyzeProfile,
  type Call,
  getAnalysis,
  listProfileAnalyses,
} from "@flamekeep/contract";
import type { Page } from "playwright-core";
import type { Account } from "./sign-up.ts";

/** Analyzes a profile and waits for the result. */
export async function analyse(url: string, { headers }: Account, profileId: string): Promise<Analysis> {
  const call = async (path: string, method: "GET" | "POST") => {
    const body = method === "POST" ? { body: "{}" } : {};
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...body,
    });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as Analysis;
  };
  const { id } = await call(`/api/v1/protected/profile/${profileId}/analyze`, "POST");
  for (;;) {
    const analysis = await call(`/api/v1/protected/analysis/${id}`, "GET");
    if (analysis.status === "failed") throw new Error(`The analysis failed: ${analysis.error}`);
    if (analysis.status === "completed") return analysis;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A completed analysis as it was before it completed. */
export function earlier(analysis: Analysis, status: "pending" | "processing" | "failed"): Analysis {
  const error = status === "failed" ? "The language model did not answer." : null;
  return { ...analysis, status, error, recommendations: [], summary: null, completed_at: null };
}

/** The analyses of every profile, in place of the server's. */
export interface AnalysisReplies {
  history: readonly Analysis[];
  /** The reply to a start. */
  started?: Analysis;
  /** The reply to polling. */
  polled?: Analysis;
}

/** Answers the calls about analyses of profiles with `replies`, which a test changes. */
export async function replyWithAnalyses(page: Page, replies: AnalysisReplies): Promise<void> {
  const none = { error: "This profile has no analyses", code: "not_found", request_id: "test" };
  const answer = (endpoint: Call, json: () => object | undefined) =>
    page.route(matching(endpoint), (route) => {
      if (route.request().method() !== endpoint.method) return route.fallback();
      const body = json();
      return route.fulfill(body === undefined ? { status: 404, json: none } : { json: body });
    });
  await answer(listProfileAnalyses, () =>
    replies.history.length === 0 ? undefined : { analyses: replies.history },
  );
  await answer(analyzeProfile, () => replies.started);
  await answer(getAnalysis, () => replies.polled);
}

function matching({ path }: Call): (url: URL) => boolean {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
  return ({ pathname }) => pattern.test(pathname);
}
