import { type IngestedFiles, type IngestedProfile, limits } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { type Query, queryOf } from "#ingest/upload/upload.ts";
import { boundaryOf, type Part, splitMultipart } from "./pyroscope-form.ts";
import type { FileResult, SentFile, StoredUpload } from "./upload-endpoint.ts";

/** Parts that are parameters: the five of the call, and tags. */
const fieldsMax = 40;
const fieldBytesMax = 8 * 1024;

/** The parts of a form of files; undefined for a body that is one profile, whatever its Content-Type says. */
function formOf(contentType: string | undefined, body: Uint8Array): Outcome<Part[]> | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  const opening = Buffer.from(`--${boundary}`);
  // A form may begin with an empty line.
  const start = body[0] === 0x0d && body[1] === 0x0a ? 2 : 0;
  if (Buffer.compare(body.subarray(start, start + opening.length), opening) !== 0) return undefined;
  return splitMultipart(body, boundary, limits.uploadFilesMax + fieldsMax);
}

/** Adds the parts without a file name to the parameters of the URL, which win. */
export function takeFields(scope: FastifyInstance): void {
  scope.addHook("preHandler", async (request) => {
    if (!Buffer.isBuffer(request.body)) return;
    const form = formOf(request.headers["content-type"], request.body);
    if (form?.ok !== true) return;
    const query = queryOf(request);
    const fields = fieldsOf(form.value).filter(([name]) => !Object.hasOwn(query, name));
    // Of own properties alone: a field may be named `__proto__`.
    request.query = Object.assign(
      Object.create(null),
      Object.fromEntries([...fields, ...Object.entries(query)]),
    );
  });
}

function fieldsOf(parts: readonly Part[]): [string, string][] {
  return parts
    .filter(({ filename, body }) => filename === undefined && body.length <= fieldBytesMax)
    .slice(0, fieldsMax)
    .map(({ name, body }) => [name, Buffer.from(body).toString("utf8")]);
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
  const name = path
    .replace(/^.*[/\\]/s, "")
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
