import type { Cluster } from "#cluster/cluster.ts";
import type { Log } from "#context";
import type { UploadLimits, UsageByOrganization } from "#ingest/admission/upload-limits.ts";
import { JobLog } from "#store/job-log.ts";

/** All servers together can pass a limit by what they admit within this time. */
const everyMs = 1_000;

/**
 * Sends the other members what organizations used here, so that an organization has one limit among them. No upload waits for it. Usage that
 * does not reach a member counts there once it reads the stores. Returns a function that ends it.
 */
export function shareUsage(
  cluster: Pick<Cluster, "answer" | "calls" | "others">,
  limits: Pick<UploadLimits, "takeUnshared" | "noteOthers">,
  log: Log,
): () => void {
  const jobLog = new JobLog(log, "the exchange of organizations' usage with other servers");
  cluster.answer("usage", async ({ head }) => void limits.noteOthers(head as UsageByOrganization));
  const share = async () => {
    const head = limits.takeUnshared();
    if (head === undefined) return;
    await Promise.all(cluster.others.map((to) => cluster.calls.call(to, "usage", { head })));
  };
  const timer = setInterval(() => {
    share().then(
      () => jobLog.succeeded(),
      (error: unknown) => jobLog.failed(error),
    );
  }, everyMs).unref();
  return () => clearInterval(timer);
}
