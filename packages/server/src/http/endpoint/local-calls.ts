import type { Call, Endpoint, ReplyOf } from "@flamekeep/contract";
import { anyEndpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import type { Actor } from "#context";
import { forbidden } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import { inputOf, type Unchecked } from "#http/endpoint/validate.ts";
import { FileReply, Reply } from "#http/reply/reply.ts";

export type LocalOperation = (actor: Actor, input: object, caller: Caller) => unknown;

/** The operations that `serve` registered, by app and endpoint. */
const operations = new WeakMap<FastifyInstance, Map<Endpoint, LocalOperation>>();

export function rememberOperation(app: FastifyInstance, endpoint: Endpoint, operation: LocalOperation): void {
  const known = operations.get(app) ?? new Map<Endpoint, LocalOperation>();
  operations.set(app, known.set(endpoint, operation));
}

/** The actor of calls from inside the server, and the request that they are made for. */
export interface LocalCaller {
  readonly actor: Actor;
  readonly caller: Caller;
}

/**
 * Makes a call of the contract from inside the server, with the checks of the same call by HTTP. Calls that read must be open to the demo,
 * so that they need no role; those that change something must be open to agents, and need a key that may write.
 */
export async function callLocally<C extends Call>(
  app: FastifyInstance,
  call: C,
  from: LocalCaller,
  input: Unchecked = {},
): Promise<ReplyOf<C>> {
  const body = await run(app, call, from, input, "application/json");
  return (body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString("utf8")) : body) as ReplyOf<C>;
}

/** As `callLocally`, of a call that answers with bytes of this content type. */
export async function callLocallyFor(
  contentType: string,
  app: FastifyInstance,
  call: Call,
  from: LocalCaller,
  input: Unchecked,
): Promise<Uint8Array> {
  const body = await run(app, call, from, input, contentType);
  if (body instanceof Uint8Array) return body;
  throw new Error(`${call.path} answers with JSON`);
}

/** Whether the actor may make a call that changes something from inside the server. */
export function mayWriteLocally(call: Call, actor: Actor): boolean {
  return refusalOf(anyEndpointOf(call), actor) === undefined;
}

/** Why a call that changes something is refused; undefined if it is not. */
function refusalOf({ method, isOpenToDemo, isOpenToAgents }: Endpoint, actor: Actor): string | undefined {
  if (method === "GET" || !isOpenToAgents) return "This call is not open to coding agents";
  if (actor.kind === "demo") return isOpenToDemo ? undefined : "The demo is read-only";
  if (actor.kind === "key" && actor.scope === "read_write") return undefined;
  return "This API key only reads. Create one that reads and writes for a coding agent under Settings, API Keys.";
}

async function run(
  app: FastifyInstance,
  call: Call,
  { actor, caller }: LocalCaller,
  input: Unchecked,
  accept: string,
): Promise<unknown> {
  const endpoint = anyEndpointOf(call);
  const isRead = endpoint.method === "GET" && endpoint.isOpenToDemo;
  const refusal = isRead ? undefined : refusalOf(endpoint, actor);
  if (refusal !== undefined) throw forbidden(refusal);
  const operation = operations.get(app)?.get(endpoint);
  if (operation === undefined) throw new Error(`${endpoint.method} ${endpoint.path} is not served`);
  // Without the headers of the request, which could ask for another form or for changes only.
  const result = await operation(actor, inputOf(endpoint, input), { ...caller, headers: { accept } });
  if (!(result instanceof Reply)) return result;
  if (result instanceof FileReply && !(result.body instanceof Uint8Array))
    throw new Error(`${endpoint.path} answers with a stream`);
  return result.body;
}
