// @vitest-environment happy-dom
import {
  type Analysis,
  analyzeProfile,
  getAnalysis,
  giveFeedback,
  listProfileAnalyses,
  type login,
  type Recommendation,
  type ReplyOf,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { signIn } from "#session/session.ts";
import { demoUser } from "#session/session-user.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { tokenEndingIn } from "#testing/tokens.ts";
import { AnalysisCard } from "./analysis-card.tsx";

const profileId = "3f9a1c07be52d8e4460b7c91691e9f40";
const createdAt = "2026-11-20T12:00:00.000Z";

const advice: Recommendation = {
  id: "r1",
  category: "cpu_optimization",
  priority: "high",
  confidence: 0.864,
  issue: "Templates are parsed for every request",
  impact: "About 31 % of CPU.",
  solution: "Parse the template once.",
  code_example: "var page = template.Must(template.New(name).Parse(text))",
  evidence: {
    functions: [
      {
        name: "shop.(*Catalogue).Render",
        file: "/src/shop/catalogue.go",
        line: 87,
        self_percent: 1.2,
        total_percent: 31,
        verified: true,
      },
      { name: "shop.invented", file: "", line: 0, self_percent: 0, total_percent: 0, verified: false },
    ],
    path: ["main.main", "shop.(*Catalogue).Render"],
    share: 0.31,
    sample_type: "cpu",
  },
  rule: "template-parse",
  feedback: null,
};

const completed: Analysis = {
  id: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10",
  profile_id: profileId,
  service: "shop",
  type: "cpu",
  display_type: "cpu",
  range: null,
  baseline: null,
  status: "completed",
  created_at: createdAt,
  completed_at: createdAt,
  recommendations: [advice],
  summary: { total_issues: 1, high_priority: 1, estimated_improvement: "Up to 31 % of CPU" },
  comparison: null,
  llm_provider: "builtin",
  model: null,
  processing_time_ms: 214,
  tokens_used: 0,
  error: null,
  options: {
    include_code_examples: true,
    focus_areas: ["cpu_optimization", "memory_optimization"],
    max_recommendations: 10,
    analyzer: "default",
  },
  can_ask: false,
};

const pending: Analysis = { ...completed, status: "pending", summary: null, recommendations: [] };

const signedIn: ReplyOf<typeof login> = {
  user: {
    ...demoUser,
    id: "00000000-0000-4000-8000-0000000000ad",
    is_active: true,
    created_at: createdAt,
    last_login_at: null,
    organization: { id: "00000000-0000-4000-8000-0000000000aa", name: "Shop" },
  },
  tokens: { access_token: tokenEndingIn(900), refresh_token: "refresh" },
};

let server: FakeServer;
let found: string[];
beforeEach(() => {
  server = new FakeServer();
  found = [];
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

function show(...analyses: Analysis[]) {
  server.on(listProfileAnalyses, () =>
    analyses.length === 0
      ? failWith("not_found", "No analyses.")
      : replyWith(listProfileAnalyses, { analyses }),
  );
  renderWithQueries(
    <AnalysisCard
      subject={{ kind: "profile", profileId }}
      name="this profile"
      onFind={(name, sampleType) => found.push(`${name} ${sampleType}`)}
    />,
  );
}

it("offers an analysis, shows that it is queued, polls it and shows what it found", async () => {
  const polled = Promise.withResolvers<Response>();
  server.on(analyzeProfile, () => replyWith(analyzeProfile, pending));
  server.on(getAnalysis, () => polled.promise);
  show();
  fireEvent.click(await screen.findByRole("button", { name: "Start Analysis" }));
  expect(await screen.findByText("Analysis queued for processing...")).toBeDefined();
  expect(screen.getByText("This usually takes 2-10 seconds")).toBeDefined();
  server.on(listProfileAnalyses, () => replyWith(listProfileAnalyses, { analyses: [completed] }));
  polled.resolve(replyWith(getAnalysis, completed));
  expect(await screen.findByText(advice.issue)).toBeDefined();
  expect(screen.getByRole("button", { name: "Re-analyze" })).toBeDefined();
});

it("says that the model reads the profile", async () => {
  server.on(getAnalysis, () => replyWith(getAnalysis, { ...pending, status: "processing" }));
  show({ ...pending, status: "processing" });
  expect(await screen.findByText("AI is analyzing your profile...")).toBeDefined();
});

it("shows priority, category, confidence, solution and code, and finds the function", async () => {
  show(completed);
  const item = within(await screen.findByRole("list", { name: "Recommendations" }));
  for (const text of ["high priority", "CPU", "86% confidence", advice.impact, advice.solution]) {
    expect(item.getByText(text)).toBeDefined();
  }
  expect(item.getByText(/template\.Must/)).toBeDefined();
  fireEvent.click(item.getByText("shop.(*Catalogue).Render", { selector: "ul button" }));
  expect(found).toEqual(["shop.(*Catalogue).Render cpu"]);
});

it("marks a function that the profile does not contain and does not link it", async () => {
  show(completed);
  expect(await screen.findByText("not in the profile")).toBeDefined();
  expect(screen.getByText("shop.invented").tagName).toBe("SPAN");
});

it("shows the summary in its tab", async () => {
  show(completed);
  fireEvent.click(await screen.findByRole("tab", { name: "Summary" }));
  expect(await screen.findByText("Up to 31 % of CPU")).toBeDefined();
  expect(screen.getByText(/Analyzed by the built-in rules/)).toBeDefined();
});

it("says that there is nothing to improve", async () => {
  const summary = { total_issues: 0, high_priority: 0, estimated_improvement: "Nothing stands out." };
  show({ ...completed, recommendations: [], summary });
  expect(await screen.findByText("No issues detected")).toBeDefined();
  expect(screen.getByText("Nothing stands out.")).toBeDefined();
});

it("shows why an analysis failed and starts another one", async () => {
  server.on(analyzeProfile, () => replyWith(analyzeProfile, completed));
  show({ ...pending, status: "failed", error: "The model did not answer." });
  expect(await screen.findByText("Analysis failed")).toBeDefined();
  expect(screen.getByText("The model did not answer.")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByText(advice.issue)).toBeDefined();
});

it("says when it could not be started", async () => {
  server.on(analyzeProfile, () => failWith("quota_exceeded", "The limit of today is reached."));
  show();
  fireEvent.click(await screen.findByRole("button", { name: "Start Analysis" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Failed to start analysis. Please try again.");
  expect(alert.textContent).toContain("The limit of today is reached.");
});

it("lists earlier analyses and shows one again", async () => {
  const older: Analysis = {
    ...completed,
    id: "11111111-3f0c-4d58-9a62-0d4d7c0f5f10",
    recommendations: [{ ...advice, issue: "An older finding" }],
  };
  show(completed, older);
  expect(await screen.findByText("Analysis history (2)")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "View" }));
  expect(await screen.findByText("An older finding")).toBeDefined();
});

it("marks advice as done for people who may change something", async () => {
  signIn(signedIn);
  const done: Analysis = {
    ...completed,
    recommendations: [{ ...advice, feedback: { state: "done", reason: null, at: createdAt, effect: null } }],
  };
  server.on(giveFeedback, () => replyWith(giveFeedback, done));
  show(completed);
  fireEvent.click(await screen.findByRole("button", { name: "Mark as Done" }));
  await waitFor(() => expect(server.callsOf(giveFeedback)[0]?.body).toEqual({ state: "done" }));
  expect(await screen.findByRole("button", { name: "Not done" })).toBeDefined();
});
