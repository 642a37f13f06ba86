import type { OutgoingMessage } from "node:http";
import { Failure } from "#failure";
import { StoreUnavailable } from "#store/unavailable.ts";

/** Members send each other JSON, with bytes that stay as they are. */
export interface Message {
  readonly head: unknown;
  readonly bytes?: Uint8Array;
}

const lengthBytes = 4;

/** The length of the head and the head; the bytes. */
export function encodeMessage({ head, bytes = new Uint8Array() }: Message): readonly [Buffer, Uint8Array] {
  const text = Buffer.from(JSON.stringify(head ?? null));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(text.length);
  return [Buffer.concat([length, text]), bytes];
}

/** Sends a message as the body of a request or a reply. */
export function sendParts(to: OutgoingMessage, [head, bytes]: ReturnType<typeof encodeMessage>): void {
  if (bytes.length === 0) return void to.end(head);
  to.write(head);
  to.end(bytes);
}

/** Throws if the body is none. The bytes are a part of the body. */
export function decodeMessage({ buffer, byteOffset, length }: Uint8Array): Required<Message> {
  const body = Buffer.from(buffer, byteOffset, length);
  const end = lengthBytes + body.readUInt32LE(0);
  if (end > length) throw new RangeError("A message of another server is shorter than it says.");
  const bytes = new Uint8Array(buffer, byteOffset + end, length - end);
  return { head: JSON.parse(body.toString("utf8", lengthBytes, end)), bytes };
}

/** A reply, or why there is none. */
export type Answer =
  | { readonly reply: unknown }
  | { readonly failure: Pick<Failure, "code" | "message" | "retryAfterSeconds"> }
  /** The member does not own what the call is about. */
  | { readonly isNotOwner: true }
  /** A store is away: the same call may work later. */
  | { readonly unavailable: string }
  | { readonly error: string };

export function toAnswer(error: unknown): Answer {
  if (error instanceof NotOwner) return { isNotOwner: true };
  if (error instanceof StoreUnavailable) return { unavailable: error.message };
  if (!(error instanceof Failure)) return { error: error instanceof Error ? error.message : String(error) };
  const { code, message, retryAfterSeconds } = error;
  return { failure: { code, message, retryAfterSeconds } };
}

/** Throws what the other member threw. */
export function replyOf(answer: Answer): unknown {
  if ("reply" in answer) return answer.reply;
  if ("isNotOwner" in answer) throw new NotOwner();
  if ("unavailable" in answer) throw new StoreUnavailable(answer.unavailable);
  if ("error" in answer) throw new Error(`Another server failed: ${answer.error}`);
  const { code, message, retryAfterSeconds } = answer.failure;
  throw new Failure(code, message, { retryAfterSeconds });
}

/** The members have changed: the caller has to look for the owner again. */
export class NotOwner extends Error {
  override readonly name = "NotOwner";

  constructor() {
    super("This server does not own the service.");
  }
}

/** The member did not take the call: there was no connection, it refused, or another process has the address. */
export class Unreached extends Error {
  override readonly name = "Unreached";
  /** An earlier attempt broke off on a connection that was used before: it may have been taken. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, { cause, mayHaveArrived = false }: UnreachedOptions = {}) {
    super(message, { cause });
    this.mayHaveArrived = mayHaveArrived;
  }
}

interface UnreachedOptions {
  readonly cause?: unknown;
  readonly mayHaveArrived?: boolean;
}
