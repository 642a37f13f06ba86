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
  { actor, request }: { readonly actor: Actor; readonly request: FastifyRequest },
  { params, query }: LocalRequest = {},
): Promise<z.output<E["reply"]>> {
  if (endpoint.method !== "GET" || !endpoint.isOpenToDemo) throw forbidden("This call does not only read");
  const operation = operations.get(app)?.get(endpoint);
  if (operation === undefined) throw new Error(`${endpoint.method} ${endpoint.path} is not served`);
  const result = await operation({
    actor,
    params: withUsableText("Path", checked("Path", endpoint.params, params ?? {})),
    query: withUsableText("Query parameter", checked("Query parameter", endpoint.query, query ?? {})),
    body: undefined,
    request: askingForJson(request),
    reply: noReply,
  } as never);
  if (!(result instanceof FileReply)) return result as z.output<E["reply"]>;
  if (!(result.body instanceof Uint8Array)) throw new Error(`${endpoint.path} answers with a stream`);
  return JSON.parse(Buffer.from(result.body).toString("utf8")) as z.output<E["reply"]>;
}

/** The same request without the headers of a browser, which could ask for another form or for changes only. */
function askingForJson(request: FastifyRequest): FastifyRequest {
  return Object.create(request, { headers: { value: { accept: "application/json" } } }) as FastifyRequest;
}

/** Operations only set headers and the status. */
const noReply = {
  code: () => noReply,
  header: () => noReply,
  headers: () => noReply,
} as unknown as FastifyReply;
