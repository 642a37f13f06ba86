/** The same requests (NDJSON) at another time: the first begins at `startedAtMs`, the distances stay. */
export function shiftMetrics(text: string, startedAtMs: number): string {
  const requests = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { timestamp: string });
  const first = requests.reduce((min, { timestamp }) => Math.min(min, Date.parse(timestamp)), Infinity);
  return requests
    .map((request) => {
      const at = startedAtMs + Date.parse(request.timestamp) - first;
      return `${JSON.stringify({ ...request, timestamp: new Date(at).toISOString() })}\n`;
    })
    .join("");
}
