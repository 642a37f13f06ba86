import { constants, zstdCompressSync } from "node:zlib";
import { ingestOtlpProfiles, limits } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import { defaultLimits, type OtlpPart, ReadRefusal, sniff, splitOtlp } from "@flamekeep/profile";
import { explainRefusal, nothingRecorded } from "#ingest/encode/checks/explain-refusal.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import { type EncodeScope, encodeInflated, encodeProfile } from "#ingest/encode/encode-profile.ts";
import { inflateMessage } from "#ingest/encode/inflate-upload.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { Encoded, EncodedRequest, Rejected } from "#ingest/rows/encoded.ts";
import { accepted, type Outcome, type Refusal } from "#ingest/upload/refusal.ts";
import { queryOf, type Upload } from "#ingest/upload/upload.ts";
import { free } from "#memory/free.ts";
import { emptyReply, encodeCoroot, isOfCoroot } from "./coroot.ts";
import { answerAsStatus, checkOtlpCall, exportReply, isJsonRequest } from "./otlp-reply.ts";
import { profileLimits, type StoredUpload, type UploadRequest, uploadEndpoint } from "./upload-endpoint.ts";

const otherContent = "a file with a profile belongs to /api/v1/ingest/profiles?service=NAME";

/** OpenTelemetry's `ExportProfilesServiceRequest` over HTTP, in protobuf or JSON. */
export const otlpEndpoint = uploadEndpoint({
  call: endpointOf(ingestOtlpProfiles),
  paths: [ingestOtlpProfiles.path, "/v1/profiles"],
  limits: profileLimits,
  encode: (request, sent) => (isOfCoroot(request.query) ? encodeCoroot : encodeOtlp)(request, sent),
  reply: (stored, { query, contentType, rejected }) =>
    isOfCoroot(query)
      ? emptyReply
      : exportReply(partialSuccess(stored, rejected), "rejectedProfiles", contentType),
  beforeBody: async (request) => {
    if (!isOfCoroot(queryOf(request)))
      checkOtlpCall(request, "an ExportProfilesServiceRequest", otherContent);
  },
  addHooks: answerAsStatus,
});

function encodeOtlp({ contentType, body, scope }: UploadRequest, sent: SentDefinitions): EncodedRequest {
  const isJson = isJsonRequest(contentType);
  const inflated = inflateMessage(body, isJson, scope);
  if (!inflated.ok) return inflated;
  const message = inflated.value;
  const readLimits = { ...defaultLimits, bytes: scope.inflatedBytesMax, samples: scope.samplesMax };
  const split = splitOtlp(message, readLimits, { isJson, partsMax: scope.profilesMax, formatOf: sniff });
  const encoded = split.ok
    ? encodeParts(split.parts, { body, message, scope, sent })
    : explainRefusal(split.error, message, message !== body, "custom", "OTLP");
  if (message.buffer !== body.buffer) free(message);
  return encoded;
}

interface Request {
  /** As it was sent. */
  readonly body: Uint8Array;
  /** Inflated. */
  readonly message: Uint8Array;
  readonly scope: EncodeScope;
  readonly sent: SentDefinitions;
}

/**
 * Bytes that the parts of a request may have together. Parts repeat the entries of the dictionary that they share: one stack of 100,000
 * frames in 900 services would otherwise cost seven seconds.
 */
const partBytesMin = 8 * 1024 * 1024;
const partBytesPerByte = 8;
/** A part that is no longer is stored, whatever the others took. */
const smallPartBytes = 4096;

/** Stores what can be stored: the others belong to other services, and would not be sent again. */
function encodeParts(parts: readonly OtlpPart[], request: Request): EncodedRequest {
  const encoded: Encoded[] = [];
  const refusals: Refusal[] = [];
  let rejected = 0;
  const shared = Math.max(partBytesMin, partBytesPerByte * request.message.length);
  const budget = { bytes: Math.min(request.scope.inflatedBytesMax, shared) };
  for (const part of parts) {
    const outcome = encodePart(part, budget, request);
    if (outcome.ok) encoded.push(outcome.value);
    else if (outcome.refusal.reason !== nothingRecorded) {
      rejected += part.profiles;
      refusals.push(outcome.refusal);
    }
  }
  const [refusal] = refusals;
  if (refusal === undefined) return accepted(encoded);
  if (encoded.length === 0) return { ok: false, refusal };
  return { ...accepted(encoded), rejected: { count: rejected, message: refusal.message } };
}

/** The bytes that further parts may have. Rejected parts use it up too, because they cost the same. */
interface Budget {
  bytes: number;
}

function encodePart(
  part: OtlpPart,
  budget: Budget,
  { body, message, scope, sent }: Request,
): Outcome<Encoded> {
  const service = checkedService(serviceOf(part));
  if (!service.ok) return service;
  const upload: Upload = {
    service: service.value,
    type: undefined,
    nameHint: undefined,
    startedAtMs: undefined,
    durationNs: 0n,
    tags: part.tags,
    extraFacts: new Map(),
    isDelta: true,
    sender: "otlp",
    body,
  };
  const outcome = encodeContent(part, budget, { upload, message, scope, sent });
  if (!outcome.ok || part.service !== undefined) return outcome;
  return accepted({ ...outcome.value, notice: [outcome.value.notice, nameless].filter(Boolean).join(" ") });
}

/** The service of profiles that name neither a service nor a program: often threads of the kernel. */
const unknownService = "unknown_service";
const nameless = `A profile names no service and no program, and was filed under ${unknownService}. Set service.name on its resource.`;

/** Programs have names of any characters. */
function serviceOf({ service = unknownService, isExecutable }: OtlpPart): string {
  if (!isExecutable) return service;
  const name = service.replace(/[^\p{L}\p{N}_.\-/:]+/gu, "_").replace(/^[.\-:]/, "_");
  return name.slice(0, limits.serviceNameLengthMax);
}

interface Content extends Pick<Request, "message" | "scope" | "sent"> {
  readonly upload: Upload;
}

function encodeContent(
  part: OtlpPart,
  budget: Budget,
  { upload, message, scope, sent }: Content,
): Outcome<Encoded> {
  const bytes = bytesOf(part, budget, message);
  if (!bytes.ok) return bytes;
  if (bytes.value === undefined) return encodeInflated(upload, message, scope, sent);
  // Copies, because the stored profile outlives the memory of the message and of the compressor.
  if (part.isOriginal) return encodeProfile({ ...upload, body: Uint8Array.from(bytes.value) }, scope, sent);
  const kept = Uint8Array.from(
    zstdCompressSync(bytes.value, {
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
      // Without it, the compressor prepares tables for any length.
      pledgedSrcSize: bytes.value.length,
    }),
  );
  return encodeInflated({ ...upload, body: kept }, bytes.value, scope, sent);
}

function bytesOf(part: OtlpPart, budget: Budget, message: Uint8Array): Outcome<Uint8Array | undefined> {
  try {
    const bytes = part.bytes(Math.max(smallPartBytes, budget.bytes));
    budget.bytes -= (bytes ?? message).length;
    return accepted(bytes);
  } catch (error) {
    // All that is left was written in vain. Half of it stays for shorter parts.
    budget.bytes = Math.floor(budget.bytes / 2);
    if (error instanceof ReadRefusal) return explainRefusal(error.reason, message, false, "custom", "OTLP");
    throw error;
  }
}

/** Remarks for the sender of a request that was accepted. */
function partialSuccess(
  stored: readonly StoredUpload[],
  rejected: Rejected | undefined,
): Rejected | undefined {
  const notices = new Set(stored.flatMap(({ encoded, notice }) => notice ?? encoded.notice ?? []));
  const message = [...(rejected === undefined ? [] : [rejected.message]), ...notices].join(" ");
  return message === "" ? undefined : { count: rejected?.count ?? 0, message };
}
