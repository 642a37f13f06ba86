import { type OtlpMessage, otlpOfJson, ReadRefusal, WireReader } from "@flamekeep/profile";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import { inflateMessage } from "#ingest/encode/inflate-upload.ts";
import { eachMessage } from "#ingest/otlp/http-messages.ts";
import { KnownAttributes } from "#ingest/otlp/known-attributes.ts";
import type { EncodedRequest } from "#ingest/rows/encoded.ts";
import { refused } from "#ingest/upload/refusal.ts";
import { free } from "#memory/free.ts";
import { inflatedHead } from "#stacks/inflate.ts";
import { isJsonRequest } from "./otlp-reply.ts";
import type { UploadRequest } from "./upload-endpoint.ts";

/**
 * Encodes an OTLP request of spans or metrics: `encode` gets it inflated, in protobuf, and throws ReadRefusal if it cannot be read.
 *
 * @param message the fields that are read, for requests in JSON
 */
export function encodeOtlpMessage(
  { contentType, body, scope }: UploadRequest,
  message: OtlpMessage,
  encode: (bytes: Uint8Array, scope: EncodeScope) => EncodedRequest,
): EncodedRequest {
  const isJson = isJsonRequest(contentType);
  const inflated = inflateMessage(body, isJson, scope, "INGEST_MAX_METRICS_BYTES");
  if (!inflated.ok) return inflated;
  const bytes = inflated.value;
  try {
    return encode(isJson ? otlpOfJson(bytes, message) : bytes, scope);
  } catch (error) {
    if (error instanceof ReadRefusal) return explained(error, isJson);
    throw error;
  } finally {
    if (bytes.buffer !== body.buffer) free(bytes);
  }
}

function explained({ reason: { code, message, offset } }: ReadRefusal, isJson: boolean): EncodedRequest {
  if (code === "too_large") return refused("too_large", "otlp", message);
  const unchanged = "Send the output of OpenTelemetry's exporter unchanged.";
  if (isJson) return refused("invalid", "otlp", `${message} ${unchanged}`);
  const fault = `${message.replace(/\.$/, "")} (byte ${offset} of the message, uncompressed)`;
  return refused("invalid", "otlp", `This is not OTLP, or it is damaged: ${fault}. ${unchanged}`);
}

/** Requests with more resources are read in a worker thread. */
const resourcesMax = 1000;

/**
 * The services that the resources of a request in protobuf name, of profiles, spans or metrics: none if one has no name. Only the beginning
 * of a compressed request is read, which has the first resources.
 */
export async function servicesOfResources(body: Uint8Array): Promise<readonly string[]> {
  const head = await inflatedHead(body);
  const wire = new WireReader(head);
  const attributes = new KnownAttributes(wire);
  const services: string[] = [];
  try {
    eachMessage(wire, head === body ? head.length : Number.MAX_SAFE_INTEGER, 1, "request", (end) => {
      attributes.clear();
      eachMessage(wire, end, 1, "resource", (resourceEnd) => {
        eachMessage(wire, resourceEnd, 1, "resource.attributes", (stop) => attributes.read(stop));
        services.push(attributes.text("service.name"));
      });
    });
  } catch (error) {
    if (!(error instanceof ReadRefusal)) throw error;
    if (head === body) return [];
  }
  return services.length > resourcesMax || services.includes("") ? [] : services;
}
