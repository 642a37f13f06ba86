import { accepted, type Outcome, refused } from "./refusal.ts";

/** The items of a body: a JSON array, one object, `{ "metrics": [...] }`, or one object a line (NDJSON). */
export function metricItems(body: Uint8Array, itemsMax: number): Outcome<readonly unknown[]> {
  const text = new TextDecoder().decode(body).trim();
  if (text === "") {
    return refused(
      "invalid",
      "metric",
      "The body is empty. Send a JSON array of HTTP metrics, or one a line.",
    );
  }
  const items = whole(text) ?? lines(text);
  if (items instanceof Error) {
    return refused("invalid", "metric", `The body is neither JSON nor NDJSON: ${items.message}.`);
  }
  if (items.length === 0) return refused("invalid", "metric", "The batch has no metrics. Send at least one.");
  if (items.length <= itemsMax) return accepted(items);
  return refused(
    "too_large",
    "metrics",
    `The batch has ${items.length} metrics, more than ${itemsMax}. Send smaller batches, or raise INGEST_MAX_SAMPLES on the server.`,
  );
}

function whole(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    if (typeof value === "object" && value !== null && "metrics" in value && Array.isArray(value.metrics)) {
      return value.metrics;
    }
    return [value];
  } catch {
    return undefined;
  }
}

function lines(text: string): readonly unknown[] | Error {
  const items: unknown[] = [];
  for (const [number, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      items.push(JSON.parse(line));
    } catch (cause) {
      return new Error(`line ${number + 1} is not JSON (${(cause as Error).message})`, { cause });
    }
  }
  return items;
}
