export interface Sent {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Sends a profile as `curl --data-binary @profile` does. */
export async function sendProfile(url: string, key: string, query: string, profile: Buffer): Promise<Sent> {
  const reply = await fetch(`${url}/api/v1/ingest/profiles?${query}`, {
    method: "POST",
    headers: { "x-api-key": key },
    body: new Uint8Array(profile),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

/** Sends HTTP metrics and returns the status of the reply. */
export async function sendRequests(
  url: string,
  key: string,
  service: string,
  requests: readonly object[],
): Promise<number> {
  const reply = await fetch(`${url}/api/v1/ingest/http-metrics?service=${service}`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(requests),
  });
  return reply.status;
}

/**
 * Sends a CPU profile as Pyroscope's Go SDK does: no `format`, times in nanoseconds, labels in the name, the gzipped
 * profile as a part of a form, and nothing but 200 counts as success.
 */
export async function sendAsPyroscope(
  url: string,
  key: string,
  service: string,
  profile: Buffer,
): Promise<number> {
  const untilNs = BigInt(Date.now()) * 1_000_000n;
  const query = new URLSearchParams({
    aggregationType: "sum",
    from: String(untilNs - 10_000_000_000n),
    name: `${service}{__session_id__=77e425ea48b3919f,process.runtime.name=go,region=eu}`,
    sampleRate: "100",
    spyName: "gospy",
    units: "samples",
    until: String(untilNs),
  });
  const form = new FormData();
  const part = new Blob([new Uint8Array(profile)], { type: "application/octet-stream" });
  form.append("profile", part, "profile.pprof");
  const reply = await fetch(`${url}/ingest?${query}`, {
    method: "POST",
    headers: { "x-api-key": key, "user-agent": "Go-http-client/1.1" },
    body: form,
  });
  return reply.status;
}
