import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SigningKeys } from "#auth/tokens/access-token.ts";
import { ListenError } from "#http/connection/unix-socket.ts";
import { readWhole } from "#http/endpoint/bodies.ts";
import { type Answer, decodeMessage, encodeMessage, type Message, sendParts, toAnswer } from "./message.ts";
import {
  clockMsMax,
  digestInSteps,
  digestOf,
  SeenCalls,
  type SignedCall,
  signedCall,
  signReply,
} from "./signature.ts";

/** Where members call each other. */
export const pathPrefix = "/cluster/v1/";
/** Calls of one group must not wait for those of the other, or be refused because of them: without promises a member loses its lease. */
export type CallGroup = "membership" | "work";
const membershipCalls: ReadonlySet<string> = new Set(["ping", "check", "hello", "refresh", "promise"]);

export function groupOf(name: string): CallGroup {
  return membershipCalls.has(name) ? "membership" : "work";
}

const headersMsMax = 5_000;
const requestMsMax = 30_000;
/** How often Node looks for requests that take too long. */
const checkMs = 1_000;
/** The system's own default is two hours. */
const probeAfterMs = 1_000;
/** All that 14 other members may open. */
const connectionsMax = 4_000;

/** A call whose headers a member has signed. */
interface IncomingCall extends Pick<SignedCall, "orgId" | "length"> {
  /** Reads the body. To be called once. */
  readonly read: () => Promise<Required<Message>>;
}

export type Operation = (call: IncomingCall) => Promise<Message | undefined>;

interface Listening {
  readonly id: string;
  readonly keys: SigningKeys;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly bytesMax: number;
  /** How many calls of a minute are noted. */
  readonly seenMax?: number;
  readonly onError: (error: unknown, name: string) => void;
}

/** Listens for calls of other members. A call without a right signature is refused before its body is read. */
export async function listenForCalls(
  listening: Listening,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const seen = { membership: new SeenCalls(listening.seenMax), work: new SeenCalls(listening.seenMax) };
  const timeouts = {
    headersTimeout: headersMsMax,
    requestTimeout: requestMsMax,
    keepAliveTimeout: requestMsMax,
    connectionsCheckingInterval: checkMs,
  };
  // Probes find peers that went without a word while they wait for a reply.
  const server = createServer(
    { ...timeouts, keepAlive: true, keepAliveInitialDelay: probeAfterMs },
    (request, response) => {
      answer(listening, seen, request, response).catch((error: unknown) => {
        if (error instanceof UnreadBody) return refuse(response, 401);
        listening.onError(error, request.url ?? "");
        request.socket.destroy();
      });
    },
  );
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  server.unref();
  return server;
}

const portDefault = 4041;

/**
 * At the port of the settings; without one at the usual port, or at any if that is in use: members find it in the database. Throws a
 * ListenError that names the setting.
 */
export async function listenAt(
  listening: Listening,
  { host, port }: { readonly host: string; readonly port: number | "auto" },
): Promise<Server> {
  try {
    return await listenForCalls(listening, { host, port: port === "auto" ? portDefault : port });
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE")
      throw new ListenError(
        `CLUSTER_ADDRESS=${host} cannot be used (${code}). Set it to an address of this machine that the other servers can reach.`,
        { cause },
      );
    if (port === "auto") return listenForCalls(listening, { host, port: 0 });
    throw new ListenError(`CLUSTER_PORT=${port} is in use. Set it to another port, or to auto.`, { cause });
  }
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function answer(
  { id: to, keys, operations, bytesMax, onError }: Listening,
  seen: Readonly<Record<CallGroup, SeenCalls>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = "", method, headers } = request;
  const name = url.startsWith(pathPrefix) ? url.slice(pathPrefix.length) : "";
  const call = method === "POST" ? signedCall(keys, headers, { name, to }) : undefined;
  const nowMs = Date.now();
  if (call === undefined || !(Math.abs(nowMs - call.atMs) <= clockMsMax)) return refuse(response, 401);
  const noted = seen[groupOf(name)].note(call, nowMs);
  if (noted !== "first") return refuse(response, noted === "full" ? 503 : 401);
  const operation = operations.get(name);
  if (operation === undefined) return refuse(response, 404);
  const { orgId, length, digest, signature } = call;
  if (!(length <= bytesMax)) return refuse(response, 413);
  const read = () => readSigned(request, { length, digest });
  const { answered, bytes } = await run(operation, { orgId, length, read }, (error) => onError(error, name));
  const reply = encodeMessage({ head: answered, ...(bytes && { bytes }) });
  response.writeHead(200, {
    "content-length": reply[0].length + reply[1].length,
    "x-flamekeep-signature": signReply(keys, signature, digestOf(...reply)),
  });
  sendParts(response, reply);
}

async function readSigned(
  request: IncomingMessage,
  { length, digest }: Pick<SignedCall, "length" | "digest">,
): Promise<Required<Message>> {
  const expected = { declared: length, bytesMax: length, ownsChunks: true };
  const body = await readWhole(request, expected).catch((cause: unknown) => {
    throw new UnreadBody("The body broke off", { cause });
  });
  if ((await digestInSteps(body)) !== digest) throw new UnreadBody("The body is not the one that was signed");
  return decodeMessage(body);
}

class UnreadBody extends Error {
  override readonly name = "UnreadBody";
}

async function run(
  operation: Operation,
  call: IncomingCall,
  onError: (error: unknown) => void,
): Promise<{ readonly answered: Answer; readonly bytes?: Uint8Array }> {
  try {
    const { head, bytes } = (await operation(call)) ?? { head: null };
    return { answered: { reply: head }, ...(bytes && { bytes }) };
  } catch (error) {
    if (error instanceof UnreadBody) throw error;
    const answered = toAnswer(error);
    if ("error" in answered) onError(error);
    return { answered };
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: "close", "content-length": 0 });
  response.end();
  // The body, which may be long, is not read.
  response.once("finish", () => response.req.destroy());
}
