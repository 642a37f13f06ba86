// @vitest-environment happy-dom
import {
  type Analysis,
  analyzeProfile,
  getAnalysis,
  giveFeedback,
  listProfileAnalyses,
  listServiceAnalyses,
  type login,
  type Recommendation,
  type ReplyOf,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { demoUser } from "#session/session-user.ts";
import { signIn } from "#session/sign-in.ts";
import { advice, compared, completed, createdAt, pending, profileId } from "#testing/analyses.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { tokenEndingIn } from "#testing/tokens.ts";
import { AnalysisCard } from "./analysis-card.tsx";

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
  server.on(listProfileAnalyses, () => replyWith(listProfileAnalyses, { analyses }));
  renderWithQueries(
    <AnalysisCard
      subject={{ kind: "profile", profileId }}
      offer="Find out what to improve in this profile"
      onFind={(name, sampleType) => found.push(`${name} ${sampleType}`)}
    />,
  );
}

type Feedback = NonNullable<Recommendation["feedback"]>;

function withFeedback(feedback: Pick<Feedback, "state" | "reason"> & Partial<Feedback>): Recommendation {
  return { ...advice, feedback: { at: createdAt, effect: null, ...feedback } };
}

it("offers an analysis, shows that it is queued, polls it and shows what it found", async () => {
  signIn(signedIn);
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
  fireEvent.click(item.getByText("shop.(*Catalogue).Render", { selector: "ul button *" }));
  expect(found).toEqual(["shop.(*Catalogue).Render cpu"]);
});

it("marks a function that the profile does not contain and does not link it", async () => {
  show(completed);
  expect(await screen.findByText("not in the profile")).toBeDefined();
  expect(screen.getByText("shop.invented").closest("button, a")).toBeNull();
});

it("shows the summary in its tab", async () => {
  show(completed);
  fireEvent.click(await screen.findByRole("tab", { name: "Summary" }));
  expect(await screen.findByText("Up to 31 % of CPU")).toBeDefined();
  expect(screen.getByText(/Analyzed by built-in rules/)).toBeDefined();
});

it.each([
  { is_clean: true, title: "No issues detected" },
  { is_clean: false, title: "No recommendations" },
])("says $title, and why", async ({ is_clean, title }) => {
  const counts = { total_issues: 0, high_priority: 0 };
  const summary = { ...counts, estimated_improvement: "Nothing stands out.", is_clean };
  show({ ...completed, recommendations: [], summary });
  expect(await screen.findByText(title)).toBeDefined();
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
  signIn(signedIn);
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
    recommendations: [withFeedback({ state: "done", reason: null })],
  };
  server.on(giveFeedback, () => replyWith(giveFeedback, done));
  show(completed);
  fireEvent.click(await screen.findByRole("button", { name: "Mark as Done" }));
  await waitFor(() => expect(server.callsOf(giveFeedback)[0]?.body).toEqual({ state: "done" }));
  expect(await screen.findByRole("button", { name: "Not done" })).toBeDefined();
});

it("dismisses advice with a reason", async () => {
  signIn(signedIn);
  const dismissed: Analysis = {
    ...completed,
    recommendations: [withFeedback({ state: "dismissed", reason: "Runs once a day" })],
  };
  server.on(giveFeedback, () => replyWith(giveFeedback, dismissed));
  show(completed);
  fireEvent.click(await screen.findByRole("button", { name: "Dismiss" }));
  const dialog = within(await screen.findByRole("dialog"));
  const submit = dialog.getByRole("button", { name: "Dismiss" });
  expect(submit).toHaveProperty("disabled", true);
  fireEvent.change(dialog.getByLabelText("Reason"), { target: { value: " Runs once a day " } });
  fireEvent.click(submit);
  await waitFor(() =>
    expect(server.callsOf(giveFeedback)[0]?.body).toEqual({ state: "dismissed", reason: "Runs once a day" }),
  );
  expect(await screen.findByText(/: Runs once a day/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Restore" })).toBeDefined();
});

it("shows whether advice helped that was marked as done", async () => {
  const effect = {
    status: "improved" as const,
    function: "shop.(*Catalogue).Render",
    share_before: 0.31,
    share_after: 0.04,
    change: -0.86,
    is_per_request: true,
    profiles: 14,
    measured_at: createdAt,
    version: null,
    since: null,
  };
  show({ ...completed, recommendations: [withFeedback({ state: "done", reason: null, effect })] });
  expect(await screen.findByText(/^It helped: from 31.0% to 4.0% of the profile/)).toBeDefined();
});

it("offers people who may only read no feedback and no analysis", async () => {
  signIn({ ...signedIn, user: { ...signedIn.user, role: "viewer" } });
  show(completed);
  await screen.findByText(advice.solution);
  expect(screen.queryByRole("button", { name: "Mark as Done" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Re-analyze" })).toBeNull();
  cleanup();
  show();
  expect(await screen.findByText(/^You have read-only access/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Start Analysis" })).toBeNull();
});

it("lists at most five analyses in its history", async () => {
  show(
    ...Array.from({ length: 7 }, (_, index) => ({
      ...completed,
      id: completed.id.replace(/^8/, `${index}`),
    })),
  );
  const history = (await screen.findByText("Analysis history (5)")).closest("details");
  expect(history?.querySelectorAll("li")).toHaveLength(5);
});

it("shows that an analysis failed that was running when the page opened, not an older one", async () => {
  const failed: Analysis = { ...pending, status: "failed", error: "The model did not answer." };
  server.on(getAnalysis, () => replyWith(getAnalysis, failed));
  const older = { ...completed, id: "11111111-3f0c-4d58-9a62-0d4d7c0f5f10" };
  show({ ...pending, status: "processing" }, older);
  expect(await screen.findByText("AI is analyzing your profile...")).toBeDefined();
  server.on(listProfileAnalyses, () => replyWith(listProfileAnalyses, { analyses: [failed, older] }));
  expect(await screen.findByText("Analysis failed")).toBeDefined();
});

it("lists the functions that grew between two ranges before the advice", async () => {
  const { range, baseline } = compared;
  if (range === null || baseline === null) throw new Error("no ranges");
  const other = {
    ...compared,
    id: "11111111-3f0c-4d58-9a62-0d4d7c0f5f10",
    range: { ...range, from: createdAt },
  };
  server.on(listServiceAnalyses, () => replyWith(listServiceAnalyses, { analyses: [other, compared] }));
  renderWithQueries(
    <AnalysisCard
      subject={{ kind: "range", service: "checkout", type: "cpu", tags: {}, range, baseline }}
      offer="Find out what changed and what to do"
      onFind={(name, sampleType) => found.push(`${name} ${sampleType}`)}
    />,
  );
  const headings = await screen.findAllByRole("heading", { level: 3 });
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    "What changed",
    "What to do1",
    advice.issue,
  ]);
  expect(screen.getByText(/^CPU time of one instance rose by 69%/)).toBeDefined();
  expect(screen.getAllByText(/^shop\.grown/)).toHaveLength(5);
  fireEvent.click(screen.getByRole("button", { name: "Show all 7" }));
  expect(screen.getAllByText(/^shop\.grown/)).toHaveLength(7);
  fireEvent.click(screen.getByRole("button", { name: "shop.grown0" }));
  expect(found).toEqual(["shop.grown0 cpu"]);
});
