import { type IngestedProfile, ingestProfile, openProfileFile, type ProfileType } from "@flamekeep/contract";
import { endpointOf, SentProfileType } from "@flamekeep/contract/schemas";
import { parseStartedAt } from "#ingest/encode/checks/started-at.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import { listedIdOf } from "#ingest/encode/profile-id.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { parameter, parameters, type Query, type Upload } from "#ingest/upload/upload.ts";
import { fileFact } from "#store/profiles/profile-row.ts";
import { filesOf, isForm, takeFields, toIngestedFiles } from "./file-form.ts";
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

/** Flamekeep's own endpoint: the body is the profile, and the query says everything about it. Or it is a form of files. */
export const profileEndpoint = uploadEndpoint({
  call: endpointOf(ingestProfile),
  paths: [ingestProfile.path],
  limits: profileLimits,
  encode: oneProfile(({ query, body }) => profileUpload(query, body)),
  reply: openedProfile,
  files: {
    split: ({ query, contentType, body }) => filesOf(query, contentType, body),
    reply: (results) => toIngestedFiles(results, openedProfile),
  },
  addHooks(scope, refuse) {
    takeFields(scope, refuse);
    explainParameters(scope, acceptedNames);
  },
});

/** The same for a person with a session, one file a call. */
export const fileEndpoint = uploadEndpoint({
  call: endpointOf(openProfileFile),
  paths: [openProfileFile.path],
  limits: profileLimits,
  encode: oneProfile(({ query, contentType, body }) =>
    isForm(contentType, body)
      ? refused(
          "invalid",
          "multipart",
          "This call takes one file, and the body is a form. Send the bytes of the file as the body, and one call for each file.",
        )
      : profileUpload(query, body, true),
  ),
  reply: openedProfile,
  addHooks: (scope) => explainParameters(scope, acceptedNames),
});

/** The reply to one profile, or one file. */
export function openedProfile(
  stored: readonly StoredUpload[],
  { query }: { readonly query: Query },
): IngestedProfile {
  return {
    ...toIngestedProfile(onlyUpload(stored)),
    ignored: ignoredParameters(query, acceptedNames),
  };
}

function profileUpload(query: Query, body: Uint8Array, isOpened = false): Outcome<Upload> {
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
  const file = parameter(query, "file");
  const facts = { ...(delta === "true" && { delta }), ...(file !== undefined && { [fileFact]: file }) };
  return accepted({
    service: service.value,
    type: type.data,
    nameHint: file,
    startedAtMs: startedAt.value,
    durationNs: 0n,
    tags: tagsOf(query),
    extraFacts: new Map(Object.entries(facts)),
    isOpened,
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

function toIngestedProfile({ encoded, isDuplicate, notice }: StoredUpload): Omit<IngestedProfile, "ignored"> {
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
    ...(encoded.recognizedAs !== undefined && { recognized_as: encoded.recognizedAs }),
    ...(notice === undefined ? {} : { notice }),
  };
}
