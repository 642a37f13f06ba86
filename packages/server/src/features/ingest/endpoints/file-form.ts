import { constants, gunzipSync } from "node:zlib";
import { type IngestedFiles, type IngestedProfile, limits, readableLine } from "@flamekeep/contract";
import { sniff } from "@flamekeep/profile";
import type { FastifyInstance } from "fastify";
import { accepted, type Outcome, type Refusal, refused } from "#ingest/upload/refusal.ts";
import { type Query, queryOf } from "#ingest/upload/upload.ts";
import { boundaryOf, type Part, splitMultipart } from "./multipart.ts";
import type { FileResult, SentFile, StoredUpload } from "./upload-endpoint.ts";

/** Parts that are parameters: the five of the call, and tags. */
const fieldsMax = 40;
/** Longer than any parameter may be: the rest of a longer one changes neither its refusal nor what is reported as trimmed. */
const fieldBytesMax = 8 * 1024;
/** It inflates to a megabyte at most. */
const compressedHeadBytes = 1024;
const partsMax = limits.uploadFilesMax + fieldsMax;
const tooManyParts = `it has more than ${partsMax} parts. Send at most ${limits.uploadFilesMax} files and ${fieldsMax} parameters in one request`;

/** Whether a body is a form. One profile may be sent with the Content-Type of a form. */
export function isForm(contentType: string | undefined, body: Uint8Array): boolean {
  const boundary = boundaryOf(contentType);
  if (boundary !== undefined) {
    const opening = Buffer.from(`--${boundary}`);
    // A form may begin with an empty line.
    const start = body[0] === 0x0d && body[1] === 0x0a ? 2 : 0;
    if (Buffer.compare(body.subarray(start, start + opening.length), opening) === 0) return true;
  }
  return /^multipart\//i.test(contentType ?? "") && body[0] === 0x2d && sniff(body) === "multipart";
}

/** A gzipped profile may have the Content-Type of a form: the beginning of the content decides. */
function isCompressedForm(contentType: string | undefined, body: Uint8Array): boolean {
  if (boundaryOf(contentType) === undefined || body[0] !== 0x1f || body[1] !== 0x8b) return false;
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    return isForm(contentType, gunzipSync(body.subarray(0, compressedHeadBytes), options));
  } catch {
    // Damaged: the refusal of the profile says so.
    return false;
  }
}

/** The parts of a form of files; undefined for a body that is one profile. */
function formOf(contentType: string | undefined, body: Uint8Array): Outcome<Part[]> | undefined {
  if (isCompressedForm(contentType, body)) {
    return refused(
      "invalid",
      "multipart",
      "The form is compressed. Send it uncompressed, with compressed files in it.",
    );
  }
  if (!isForm(contentType, body)) return undefined;
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) {
    return refused(
      "invalid",
      "multipart",
      "The Content-Type is not multipart/form-data with a boundary. Let your client set it, as curl -F does.",
    );
  }
  return splitMultipart(body, boundary, partsMax, tooManyParts);
}

/** Adds the parts without a file name to the parameters of the URL, which win. Throws what `refuse` returns for an unreadable form. */
export function takeFields(scope: FastifyInstance, refuse: (refusal: Refusal) => Error): void {
  scope.addHook("preHandler", async (request) => {
    if (!Buffer.isBuffer(request.body)) return;
    const form = formOf(request.headers["content-type"], request.body);
    if (form === undefined) return;
    const sent = form.ok ? fieldsOf(form.value) : form;
    if (!sent.ok) throw refuse(sent.refusal);
    const query = queryOf(request);
    const fields = sent.value.filter(([name]) => !Object.hasOwn(query, name));
    // Of own properties alone: a field may be named `__proto__`.
    request.query = Object.assign(
      Object.create(null),
      Object.fromEntries([...fields, ...Object.entries(query)]),
    );
  });
}

function fieldsOf(parts: readonly Part[]): Outcome<[string, string][]> {
  const fields = parts.filter(({ filename }) => filename === undefined);
  if (fields.length > fieldsMax) {
    return refused(
      "too_large",
      "upload_fields",
      `The form has ${fields.length} parameters; one request may have ${fieldsMax}. Send fewer tags.`,
    );
  }
  const names = fields.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) {
    const message = `The form has the parameter "${readableLine(repeated).slice(0, 100)}" more than once. Send each parameter once.`;
    return refused("invalid", "upload_fields", message);
  }
  return accepted(
    fields.map(({ name, body }) => [name, Buffer.from(body.subarray(0, fieldBytesMax)).toString("utf8")]),
  );
}

/** The files of a form, each with the parameters of all; undefined if the body is one profile. */
export function filesOf(
  query: Query,
  contentType: string | undefined,
  body: Uint8Array,
): Outcome<readonly SentFile[]> | undefined {
  const form = formOf(contentType, body);
  if (form === undefined || !form.ok) return form;
  const files = form.value.filter(({ filename }) => filename !== undefined);
  if (files.length === 0) {
    return refused(
      "invalid",
      "multipart",
      "The form has no file. Send each file as a part with a file name, as curl -F file=@cpu.pprof does.",
    );
  }
  if (files.length > limits.uploadFilesMax) {
    return refused(
      "too_large",
      "upload_files",
      `The form has ${files.length} files; one request may have ${limits.uploadFilesMax}. Send the others in another request.`,
    );
  }
  return accepted(files.map(({ filename, body: bytes }) => sentFile(filename ?? "", query, bytes)));
}

function sentFile(path: string, query: Query, body: Uint8Array): SentFile {
  const name = readableLine(path.replace(/^.*[/\\]/s, ""))
    .slice(-limits.fileNameLengthMax)
    .toWellFormed();
  return { name, query: name === "" ? query : { ...query, file: name }, body };
}

type ToProfile = (stored: readonly StoredUpload[], request: { readonly query: Query }) => IngestedProfile;

export function toIngestedFiles(results: readonly FileResult[], toProfile: ToProfile): IngestedFiles {
  const files = results.map((result): IngestedFiles["files"][number] => {
    const { name: file } = result;
    if ("failure" in result) {
      const { code, message } = result.failure;
      return { file, status: "refused", code, error: message };
    }
    const profile = toProfile(result.stored, result);
    return { file, status: profile.duplicate ? "duplicate" : "accepted", profile };
  });
  const count = (status: string) => files.filter((each) => each.status === status).length;
  return { accepted: count("accepted"), duplicate: count("duplicate"), refused: count("refused"), files };
}
