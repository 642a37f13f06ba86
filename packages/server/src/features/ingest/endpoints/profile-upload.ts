import { SentProfileType } from "@flamekeep/contract";
import { checkedService } from "#ingest/encode/checks/service-name.ts";
import { parseStartedAt } from "#ingest/encode/checks/started-at.ts";
import { accepted, type Outcome, refused } from "#ingest/refusal.ts";
import { parameter, parameters, type Query, type Upload } from "./upload.ts";

const tagPrefix = "tag.";
const OptionalType = SentProfileType.optional();

/** Our own endpoint: everything about the profile stands in the query. */
export function profileUpload(query: Query, body: Uint8Array): Outcome<Upload> {
  const service = checkedService(parameter(query, "service") ?? "");
  if (!service.ok) return service;
  const type = OptionalType.safeParse(parameter(query, "type"));
  if (!type.success) {
    return refused(
      "invalid",
      "type",
      `type must be one of ${SentProfileType.options.join(", ")}, or left out.`,
    );
  }
  const text = parameter(query, "started_at");
  const startedAt = text === undefined ? accepted(undefined) : parseStartedAt(text);
  if (!startedAt.ok) return startedAt;
  const delta = parameter(query, "delta");
  if (delta !== undefined && delta !== "true" && delta !== "false") {
    return refused("invalid", "delta", "delta must be true or false, or left out.");
  }
  return accepted({
    service: service.value,
    type: type.data,
    nameHint: undefined,
    startedAtMs: startedAt.value,
    durationNs: 0n,
    tags: tagsOf(query),
    facts: new Map(delta === "true" ? [["delta", "true"]] : []),
    isDelta: delta === "true",
    sender: "api",
    body,
  });
}

function tagsOf(query: Query): [string, string][] {
  return Object.keys(query)
    .filter((name) => name.startsWith(tagPrefix))
    .flatMap((name) =>
      parameters(query, name).map((value): [string, string] => [name.slice(tagPrefix.length), value]),
    );
}
