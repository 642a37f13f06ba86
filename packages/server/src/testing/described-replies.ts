import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { InjectOptions, LightMyRequestResponse as Reply } from "fastify";
import { type OpenApi, toOpenApi } from "#http/documentation/openapi.ts";

type Responses = Record<string, { readonly content?: Readonly<Record<string, object>> }>;

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly responses: Responses;
}

export interface DescribedReplies {
  /** Throws if the reply differs from the documented one for its path, method and status. */
  check(sent: InjectOptions | string, reply: Reply): void;
  /** `METHOD path status` of every checked reply. */
  readonly seen: ReadonlySet<string>;
  /** Throws if the value violates the schema at a JSON pointer into the document. */
  checkValue(pointer: string, value: unknown): void;
}

/** Statuses of the framework, which `default` describes. All other statuses must be listed with their call. */
const unlisted = new Set([413, 415, 429, 431, 500, 503]);

/** Checks replies against the OpenAPI document, which is all that other programs know about the API. */
export function describedReplies(document?: OpenApi): DescribedReplies {
  const { operations, checkValue } = compiledDocument(document);
  const seen = new Set<string>();
  function check(sent: InjectOptions | string, reply: Reply): void {
    const { method, path } = target(sent);
    const operation = operations.find((each) => each.method === method && each.pattern.test(path));
    if (operation === undefined) return;
    const name = `${method.toUpperCase()} ${operation.path} ${reply.statusCode}`;
    const listed = String(reply.statusCode) in operation.responses;
    if (!listed && !unlisted.has(reply.statusCode)) throw new Error(`${name} is not in the OpenAPI document`);
    const status = listed ? String(reply.statusCode) : "default";
    const { content } = operation.responses[status] ?? {};
    const type = String(reply.headers["content-type"]).split(";")[0] as string;
    if (content === undefined ? reply.body !== "" : !(type in content)) {
      throw new Error(`${name} as ${type} is not in the OpenAPI document`);
    }
    // A packed reply is compared with one that is not by its test.
    const isPacked = reply.headers["content-encoding"] !== undefined;
    if (content !== undefined && type === "application/json" && !isPacked) {
      const at = ["paths", operation.path, method, "responses", status, "content", type, "schema"];
      checkValue(pointerTo(...at), reply.json());
    }
    seen.add(name);
  }
  return { check, seen, checkValue };
}

let ownDocument: ReturnType<typeof compileDocument> | undefined;

/** The server's own document if none is given: once for all apps of a worker, because its schemas take long to compile. */
function compiledDocument(document: OpenApi | undefined) {
  if (document !== undefined) return compileDocument(document);
  ownDocument ??= compileDocument(toOpenApi("0.0.0"));
  return ownDocument;
}

function compileDocument(document: OpenApi) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  // The keywords of OpenAPI around the schemas, and the one inside them.
  ajv.addVocabulary([...Object.keys(document), "example"]);
  ajv.addSchema(document, "openapi", false, false);
  const compiled = new Map<string, ValidateFunction>();

  function checkValue(pointer: string, value: unknown): void {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, validate);
    if (validate(value)) return;
    throw new Error(
      `${pointer} is broken: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value).slice(0, 500)}`,
    );
  }
  return { operations: operationsOf(document), checkValue };
}

/** JSON pointer (RFC 6901) as a URI fragment. */
export function pointerTo(...names: readonly string[]): string {
  return names
    .map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("");
}

/** Those with fewer parameters first: `/http/{service}` before `/{kind}/{service}`. */
function operationsOf(document: OpenApi): Operation[] {
  const paths = Object.keys(document.paths).sort((a, b) => a.split("{").length - b.split("{").length);
  return paths.flatMap((path) =>
    Object.entries(document.paths[path] ?? {}).map(([method, operation]) => ({
      path,
      method,
      pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]*")}$`),
      responses: (operation as { responses: Responses }).responses,
    })),
  );
}

function target(sent: InjectOptions | string): { method: string; path: string } {
  const options = typeof sent === "string" ? { url: sent } : sent;
  const url = options.url ?? options.path ?? "/";
  const path = typeof url === "string" ? (url.split("?")[0] as string) : url.pathname;
  return { method: (options.method ?? "GET").toLowerCase(), path };
}
