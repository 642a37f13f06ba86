import { Code, ConnectError } from "@connectrpc/connect";

/** A call's message as it arrived; `compression` is set if it is compressed. */
export interface SentMessage {
  readonly bytes: Buffer;
  readonly compression: string | undefined;
}

/** A byte of flags and the length of the message, in four bytes. */
const headBytes = 5;
const compressedFlag = 1;

/**
 * The only message of a call without streams (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). Its bytes stay as they
 * are: whatever is in them, taking them costs the same.
 *
 * @param encoding the header `grpc-encoding`
 * @throws ConnectError if there is not exactly one message of at most `bytesMax` bytes
 */
export async function readMessage(
  body: AsyncIterable<Uint8Array>,
  encoding: string | null,
  bytesMax: number,
): Promise<SentMessage> {
  const chunks: Uint8Array[] = [];
  let head: Buffer | undefined;
  let [length, wanted] = [0, headBytes];
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (head === undefined && length >= headBytes) {
      head = Buffer.concat(chunks).subarray(0, headBytes);
      wanted += head.readUInt32BE(1);
      if (wanted > headBytes + bytesMax) throw tooLarge(bytesMax);
    }
    if (head !== undefined && length > wanted) throw invalid("The call has more than one message. Send one.");
  }
  if (length === 0) throw invalid("The call has no message. Send one.");
  if (head === undefined || length < wanted)
    throw invalid("The message is incomplete: fewer bytes arrived than its length says. Send it again.");
  const isCompressed = (head[0]! & compressedFlag) !== 0;
  return {
    bytes: Buffer.concat(chunks).subarray(headBytes),
    compression: isCompressed ? (encoding ?? undefined) : undefined,
  };
}

function invalid(text: string): ConnectError {
  return new ConnectError(text, Code.InvalidArgument);
}

function tooLarge(bytesMax: number): ConnectError {
  return new ConnectError(
    `The message is larger than ${bytesMax} bytes. Send a smaller one, or raise INGEST_MAX_BYTES on the server.`,
    Code.ResourceExhausted,
  );
}
