import type { Cluster } from "#cluster/cluster.ts";
import type { Member } from "#cluster/heartbeats.ts";
import { Unreached } from "#cluster/message.ts";
import type { Log } from "#context";
import type { UploadLimits, UsageByOrganization } from "#ingest/admission/upload-limits.ts";
import { JobLog } from "#store/job-log.ts";

const everyMs = 1_000;

/**
 * Sends the other members what organizations used here, so that an organization has one limit among them. No upload waits for it. Usage that
 * does not reach a member is sent again, while it is a member. Returns a function that ends it.
 */
export function shareUsage(
  cluster: Pick<Cluster, "answer" | "calls" | "others">,
  limits: Pick<UploadLimits, "takeUnshared" | "noteOthers">,
  log: Log,
): () => void {
  const jobLog = new JobLog(log, "the exchange of organizations' usage with other servers");
  cluster.answer("usage", async ({ head }) => void limits.noteOthers(head as UsageByOrganization));
  /** Usage that did not reach each member. One that went counts what it reads from the stores, if it comes back. */
  const unsent = new Map<string, UsageByOrganization>();
  const calling = new Set<string>();
  const send = async (to: Member) => {
    const head = unsent.get(to.id);
    if (head === undefined || calling.has(to.id)) return;
    unsent.delete(to.id);
    calling.add(to.id);
    try {
      await cluster.calls.call(to, "usage", { head });
    } catch (error) {
      // After another failure the member may have counted it.
      if (error instanceof Unreached && !error.mayHaveArrived)
        unsent.set(to.id, together(head, unsent.get(to.id)));
      throw error;
    } finally {
      calling.delete(to.id);
    }
  };
  const share = async () => {
    const { others } = cluster;
    const present = new Set(others.map(({ id }) => id));
    for (const id of unsent.keys()) if (!present.has(id)) unsent.delete(id);
    const usage = limits.takeUnshared();
    for (const { id } of usage === undefined ? [] : others) unsent.set(id, together(usage!, unsent.get(id)));
    await Promise.all(others.map(send));
  };
  const timer = setInterval(() => {
    share().then(
      () => jobLog.succeeded(),
      (error: unknown) => jobLog.failed(error),
    );
  }, everyMs).unref();
  return () => clearInterval(timer);
}

function together(a: UsageByOrganization, b: UsageByOrganization = {}): UsageByOrganization {
  const sum: Record<string, UsageByOrganization[string]> = { ...a };
  for (const [orgId, { uploads, bytes, services }] of Object.entries(b)) {
    const before = sum[orgId] ?? { uploads: 0, bytes: 0, services: [] };
    sum[orgId] = {
      uploads: before.uploads + uploads,
      bytes: before.bytes + bytes,
      services: [...before.services, ...services],
    };
  }
  return sum;
}
