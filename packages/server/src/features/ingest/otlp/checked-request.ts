import { HttpMetric } from "@flamekeep/contract/schemas";
import { ruleOf } from "#http/endpoint/validate.ts";
import { type Dated, type TimeWindow, withinWindow } from "#ingest/encode/checks/started-at.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";

const plainErrors = { error: ruleOf };

/** A request that OpenTelemetry reports, with the rules of our own endpoint. */
export function checkedRequest(
  metric: HttpMetric & { readonly timestamp: number },
  window: TimeWindow,
  dated: Dated,
): Outcome<HttpMetric> {
  const inWindow = withinWindow(metric.timestamp, window, dated);
  if (!inWindow.ok) return inWindow;
  const parsed = HttpMetric.safeParse(metric, plainErrors);
  if (parsed.success) return accepted(parsed.data);
  const [issue] = parsed.error.issues;
  const fault = `its ${issue!.path.join(".")} ${issue!.message}`;
  return refused("invalid", "metric", `${dated.what} of an HTTP server is refused: ${fault}.`);
}
