import { judgedRule, type RuleTexts } from "./call-rule.ts";
import type { FindingPriority } from "./finding.ts";
import { functions } from "./match.ts";
import type { Rule } from "./rule.ts";
import type { Selection } from "./selection.ts";
import type { StackView } from "./stack-view.ts";
import type { Subject } from "./subject.ts";

/** Goroutines that serve a request. Others that wait may be workers without work, which is fine. */
export const servingRequests = functions(
  "net/http.(*conn).serve",
  "net/http.(*http2serverConn).runHandler",
  "net/http/internal/http2.(*serverConn).runHandler",
  "google.golang.org/grpc.(*Server).*",
  "github.com/valyala/fasthttp.(*workerPool).*",
);

/** Milliseconds of waiting per second from which on a rule reports, and with which priority. */
interface WaitingThresholds {
  readonly low: number;
  readonly medium: number;
  /** Left out where waiting alone is no proof of a mistake. */
  readonly high?: number;
}

/** Waits since the start of a process, whose age is unknown: shares decide, from a sum on that is no accident. */
const sinceStart = [
  { priority: "medium", share: 0.3, sumNs: 1e8 },
  { priority: "low", share: 0.1, sumNs: 1e8 },
  // Goroutines that wait for work may have nearly all of a block profile.
  { priority: "low", share: 0.03, sumNs: 5e8 },
  { priority: "low", share: 0.01, sumNs: 1e9 },
] as const;

/** The view of waiting time of a mutex or block profile. */
export function delaysOf(subject: Subject): StackView {
  return subject.view("delay") ?? subject.main;
}

/** A rule about time that goroutines wait, or make others wait: judged in milliseconds per second. */
export function waitingRule({ from, ...rest }: RuleTexts & { readonly from: WaitingThresholds }): Rule {
  return judgedRule({
    types: ["mutex", "block"],
    category: "mutex_optimization",
    ...rest,
    judge: ({ subject, selection }) => waitingPriority(subject, selection, from),
  });
}

/** Undefined if the waits are too short to matter. */
function waitingPriority(
  subject: Subject,
  { weight, share }: Selection,
  { low, medium, high = Number.POSITIVE_INFINITY }: WaitingThresholds,
): FindingPriority | undefined {
  if (subject.durationNs <= 0) {
    return sinceStart.find((step) => share >= step.share && weight >= step.sumNs)?.priority;
  }
  const msPerSecond = (weight / subject.durationNs) * 1000;
  if (msPerSecond < low) return undefined;
  if (msPerSecond >= high) return "high";
  return msPerSecond >= medium ? "medium" : "low";
}
