import type { Endpoint } from "@flamekeep/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Actor } from "#context";
import { forbidden } from "#failure";
import { checked, withUsableText } from "#http/endpoint/validate.ts";
import { FileReply } from "#http/reply/file-reply.ts";

type AnyOperation = (call: never) => unknown;

/** The operations that `serve` registered, by app and endpoint. */
const operations = new WeakMap<FastifyInstance, Map<Endpoint, AnyOperation>>();

export function rememberOperation(app: FastifyInstance, endpoint: Endpoint, operation: AnyOperation): void {
  const known = operations.get(app) ?? new Map<Endpoint, AnyOperation>();
  operations.set(app, known.set(endpoint, operation));
}

interface Caller {
  readonly actor: Actor;
  readonly request: FastifyRequest;
}

interface LocalRequest {
  readonly params?: object;
  readonly query?: object;
}

/**
 * Makes a call of the contract from inside the server, with the checks of the same call by HTTP. Only calls that read and
 * that the demo may make, too, so that they need no role.
 */
export async function callLocally<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  caller: Caller,
  input: LocalRequest = {},
): Promise<z.output<E["reply"]>> {
  const result = await run(app, endpoint, caller, input, "application/json");
  if (!(result instanceof FileReply)) return result as z.output<E["reply"]>;
  return JSON.parse(Buffer.from(bytesOf(result, endpoint)).toString("utf8")) as z.output<E["reply"]>;
}

/** As `callLocally`, of a call that answers with bytes of this content type. */
export async function callLocallyFor(
  contentType: string,
  app: FastifyInstance,
  endpoint: Endpoint,
  caller: Caller,
  input: LocalRequest,
): Promise<Uint8Array> {
  const result = await run(app, endpoint, caller, input, contentType);
  if (!(result instanceof FileReply)) throw new Error(`${endpoint.path} answers with JSON`);
  return bytesOf(result, endpoint);
}

function bytesOf({ body }: FileReply, { path }: Endpoint): Uint8Array {
  if (!(body instanceof Uint8Array)) throw new Error(`${path} answers with a stream`);
  return body;
}

async function run(
  app: FastifyInstance,
  endpoint: Endpoint,
  { actor, request }: Caller,
  { params, query }: LocalRequest,
  accept: string,
): Promise<unknown> {
  if (endpoint.method !== "GET" || !endpoint.isOpenToDemo) throw forbidden("This call does not only read");
  const operation = operations.get(app)?.get(endpoint);
  if (operation === undefined) throw new Error(`${endpoint.method} ${endpoint.path} is not served`);
  return operation({
    actor,
    params: withUsableText("Path", checked("Path", endpoint.params, params ?? {})),
    query: withUsableText("Query parameter", checked("Query parameter", endpoint.query, query ?? {})),
    body: undefined,
    request: askingFor(accept, request),
    reply: noReply,
  } as never);
}

/** The same request without the headers of a browser, which could ask for another form or for changes only. */
function askingFor(accept: string, request: FastifyRequest): FastifyRequest {
  return Object.create(request, { headers: { value: { accept } } }) as FastifyRequest;
}

/** Operations only set headers and the status. */
const noReply = {
  code: () => noReply,
  header: () => noReply,
  headers: () => noReply,
} as unknown as FastifyReply;
