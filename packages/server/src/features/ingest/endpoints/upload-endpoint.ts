import type { Call, Endpoint } from "@flamekeep/contract";
import type { FastifyInstance, onRequestAsyncHookHandler } from "fastify";
import type { z } from "zod";
import type { IngestLimits } from "#config";
import type { Failure } from "#failure";
import type { FileReply } from "#http/reply/reply.ts";
import { type EncodeScope, encodeProfile } from "#ingest/encode/encode-profile.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { Encoded, EncodedRequest, Rejected } from "#ingest/rows/encoded.ts";
import { accepted, type Outcome, type Refusal } from "#ingest/upload/refusal.ts";
import type { Query, Upload } from "#ingest/upload/upload.ts";

/** A call whose sender has an API key or a session, and whose body is bytes. */
export type UploadCall = Endpoint<
  Call<"POST", string, "ingestKey" | "session">,
  z.ZodType,
  z.ZodType,
  z.ZodUndefined
>;

/** One request, before anything of it is decoded. */
export interface UploadRequest {
  readonly query: Query;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly scope: EncodeScope;
}

/** The part of an upload that replies report. */
export type ReportedUpload = Pick<
  Encoded,
  | "orgId"
  | "profileId"
  | "service"
  | "type"
  | "startedAtMs"
  | "sampleCount"
  | "listed"
  | "trimmed"
  | "recognizedAs"
  | "notice"
>;

/** A profile or a batch of HTTP metrics that is on disk. */
export interface StoredUpload {
  readonly encoded: ReportedUpload;
  readonly isDuplicate: boolean;
  /** For the sender, about an upload that was accepted and should be sent differently. */
  readonly notice?: string;
}

export function toStored(encoded: Encoded, isDuplicate: boolean, notice: string | undefined): StoredUpload {
  return notice === undefined ? { encoded, isDuplicate } : { encoded, isDuplicate, notice };
}

/**
 * From a request to the rows of everything in it. All of it is accepted, or nothing and the refusal says why. Snapshots that are
 * accepted here may still be refused one by one, once they are compared with what is stored.
 */
export type Encode = (request: UploadRequest, sent: SentDefinitions) => EncodedRequest;

/** A request that is on disk. */
export interface StoredRequest {
  /** In the order sent. */
  readonly stored: readonly StoredUpload[];
  readonly rejected?: Rejected | undefined;
}

/** A file of a request. */
export interface SentFile {
  readonly name: string;
  readonly query: Query;
  /** A view into the body of the request. */
  readonly body: Uint8Array;
}

/** A file that is on disk, or why it is not. */
export type FileResult = Pick<SentFile, "name" | "query"> &
  ({ readonly stored: readonly StoredUpload[] } | { readonly failure: Failure });

/** One format of uploads: how its requests become rows, and how its replies look. */
export interface UploadEndpoint<E extends UploadCall = UploadCall> {
  readonly call: E;
  /** Where the call is served. */
  readonly paths: readonly string[];
  /** The settings that limit a request. */
  readonly limits: (settings: IngestLimits) => Pick<EncodeScope, "inflatedBytesMax" | "samplesMax">;
  /** Runs on a worker thread. */
  readonly encode: Encode;
  /** The reply once everything is on disk. */
  readonly reply: (
    stored: readonly StoredUpload[],
    request: Pick<UploadRequest, "query" | "contentType"> & Pick<StoredRequest, "rejected">,
  ) => z.input<E["reply"]> | FileReply;
  /** For requests of several files. Each file is an upload that is stored or refused by itself. */
  readonly files?: {
    /** Undefined if the request is one upload. */
    readonly split: (
      request: Pick<UploadRequest, "query" | "contentType" | "body">,
    ) => Outcome<readonly SentFile[]> | undefined;
    readonly reply: (results: readonly FileResult[]) => z.input<E["reply"]>;
  };
  /** Checks the headers of a request. */
  readonly beforeBody?: onRequestAsyncHookHandler;
  /** Adds hooks that read parameters, and that give errors the form that senders expect. `refuse` counts a refusal and returns the failure to throw. */
  readonly addHooks: (scope: FastifyInstance, refuse: (refusal: Refusal) => Failure) => void;
}

export function uploadEndpoint<E extends UploadCall>(definition: UploadEndpoint<E>): UploadEndpoint {
  return definition;
}

export function profileLimits({ maxInflatedBytes, maxSamples }: IngestLimits) {
  return { inflatedBytesMax: maxInflatedBytes, samplesMax: maxSamples };
}

/** For formats whose request is one profile. */
export function oneProfile(read: (request: UploadRequest) => Outcome<Upload>): Encode {
  return (request, sent) => {
    const upload = read(request);
    return upload.ok ? asList(encodeProfile(upload.value, request.scope, sent)) : upload;
  };
}

export function asList(outcome: Outcome<Encoded>): Outcome<readonly Encoded[]> {
  return outcome.ok ? accepted([outcome.value]) : outcome;
}

/** For formats whose request always stores exactly one upload. */
export function onlyUpload([stored]: readonly StoredUpload[]): StoredUpload {
  if (stored === undefined) throw new Error("An upload was accepted without anything in it");
  return stored;
}
