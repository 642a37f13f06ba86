import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { SigningKeys } from "#auth/tokens/access-token.ts";
import { ListenError } from "#http/connection/unix-socket.ts";
import { type Answer, decodeMessage, encodeMessage, type Message, toAnswer } from "./message.ts";
import { clockMsMax, digestOf, isCallSigned, signReply } from "./signature.ts";

/** Where members call each other. */
export const pathPrefix = "/cluster/v1/";
const headersMsMax = 5_000;
const requestMsMax = 30_000;
const connectionsMax = 1_000;

export type Operation = (message: Required<Message>) => Promise<Message | undefined>;

interface Listening {
  readonly id: string;
  readonly keys: SigningKeys;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly bytesMax: number;
  readonly onError: (error: unknown, name: string) => void;
}

/** Listens for calls of other members. A call without a right signature is refused before its body is read. */
export async function listenForCalls(
  listening: Listening,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer(
    { headersTimeout: headersMsMax, requestTimeout: requestMsMax, keepAliveTimeout: requestMsMax },
    (request, response) => {
      answer(listening, request, response).catch(() => request.socket.destroy());
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

async function answer(listening: Listening, request: IncomingMessage, response: ServerResponse) {
  const { keys, operations, bytesMax, onError } = listening;
  const { name, digest, signature, status } = checked(listening, request);
  if (status !== undefined) return refuse(response, status);
  const operation = operations.get(name);
  if (operation === undefined) return refuse(response, 404);
  if (!(Number(request.headers["content-length"]) <= bytesMax)) return refuse(response, 413);
  const body = await buffer(request);
  if (digestOf(body) !== digest) return refuse(response, 401);
  const { answered, bytes } = await run(operation, body, (error) => onError(error, name));
  const reply = encodeMessage({ head: answered, ...(bytes && { bytes }) });
  response.writeHead(200, {
    "content-length": reply.length,
    "x-flamekeep-signature": signReply(keys, signature, digestOf(reply)),
  });
  response.end(reply);
}

async function run(
  operation: Operation,
  body: Buffer,
  onError: (error: unknown) => void,
): Promise<{ readonly answered: Answer; readonly bytes?: Uint8Array }> {
  try {
    const { head, bytes } = (await operation(decodeMessage(body))) ?? { head: null };
    return { answered: { reply: head }, ...(bytes && { bytes }) };
  } catch (error) {
    const answered = toAnswer(error);
    if ("error" in answered) onError(error);
    return { answered };
  }
}

/** The headers of a call, with the status of its refusal unless a member has signed them. */
function checked({ id, keys }: Listening, { url = "", headers, method }: IncomingMessage) {
  const header = (name: string) => String(headers[`x-flamekeep-${name}`] ?? "");
  const [digest, signature, atMs] = [header("digest"), header("signature"), Number(header("time"))];
  const name = url.startsWith(pathPrefix) ? url.slice(pathPrefix.length) : "";
  const call = { name, from: header("from"), to: id, atMs, digest };
  const isTimely = Math.abs(Date.now() - atMs) <= clockMsMax;
  const isSigned = method === "POST" && isTimely && isCallSigned(keys, call, signature);
  return { name, digest, signature, status: isSigned ? undefined : 401 };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: "close", "content-length": 0 });
  response.end();
  // The body, which may be long, is not read.
  response.once("finish", () => response.req.destroy());
}
