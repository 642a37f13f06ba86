import { ingestProfile, type ProfileType, type ReplyOf } from "@flamekeep/contract";
import { endpointOf, SentProfileType } from "@flamekeep/contract/schemas";
import { parseStartedAt } from "#ingest/encode/checks/started-at.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import { listedIdOf } from "#ingest/encode/profile-id.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { parameter, parameters, type Query, type Upload } from "#ingest/upload/upload.ts";
import { explainParameters } from "./parameters/explain-parameters.ts";
import { acceptedParameters, ignoredParameters } from "./parameters/ignored-parameters.ts";
import {
  oneProfile,
  onlyUpload,
  profileLimits,
  type StoredUpload,
  uploadEndpoint,
} from "./upload-endpoint.ts";

const tagPrefix = "tag.";
const OptionalType = SentProfileType.optional();
const acceptedNames = acceptedParameters(endpointOf(ingestProfile));

/** Flamekeep's own endpoint: the body is the profile, and the query says everything about it. */
export const profileEndpoint = uploadEndpoint({
  call: endpointOf(ingestProfile),
  paths: [ingestProfile.path],
  limits: profileLimits,
  encode: oneProfile(({ query, body }) => profileUpload(query, body)),
  reply: (stored, { query }) => ({
    ...toIngestedProfile(onlyUpload(stored)),
    ignored: ignoredParameters(query, acceptedNames),
  }),
  addHooks: (scope) => explainParameters(scope, acceptedNames),
});

function profileUpload(query: Query, body: Uint8Array): Outcome<Upload> {
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
    extraFacts: new Map(delta === "true" ? [["delta", "true"]] : []),
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

function toIngestedProfile({
  encoded,
  isDuplicate,
  notice,
}: StoredUpload): Omit<ReplyOf<typeof ingestProfile>, "ignored"> {
  const { type: owner, profileId, sampleCount } = encoded;
  if (owner === "metrics") throw new Error("The endpoint of profiles stored a batch of HTTP metrics");
  const idOf = (type: ProfileType) => (type === owner ? profileId : listedIdOf(profileId, type));
  const [main, ...others] = encoded.listed ?? [{ type: owner, sampleCount }];
  const { type } = main!;
  return {
    profile_id: idOf(type),
    service: encoded.service,
    type,
    started_at: new Date(encoded.startedAtMs).toISOString(),
    sample_count: main!.sampleCount,
    ...(others.length === 0
      ? {}
      : { also_listed: others.map(({ type }) => ({ type, profile_id: idOf(type) })) }),
    duplicate: isDuplicate,
    trimmed: isDuplicate ? {} : Object.fromEntries(encoded.trimmed),
    ...(notice === undefined ? {} : { notice }),
  };
}
