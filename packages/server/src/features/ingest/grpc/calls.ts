import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { create, createFileRegistry, type DescService, fromBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  type Empty,
  EmptySchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_empty,
} from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import {
  analyzeQuery,
  type ConnectCode,
  grpcStatus,
  ingestOtlpMetrics,
  ingestOtlpProfiles,
  ingestOtlpTraces,
  pushProfiles,
  queryDiff,
  queryLabelNames,
  queryLabelValues,
  queryProfileStats,
  queryProfileTypes,
  querySeries,
  readSettings,
  selectHeatmap,
  selectMergeProfile,
  selectMergeSpanProfile,
  selectMergeStacktraces,
  selectSeries,
  writeRawProfiles,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { readMessage, type SentMessage } from "./message.ts";

/** A call of gRPC, and the address of this server that takes the same message by HTTP. */
interface GrpcCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly address: string;
  readonly contentType: string;
}

const ofConnect = (path: string): GrpcCall => ({ path, address: path, contentType: "application/proto" });

const ofOtlp = (signal: string, message: string, address: string): GrpcCall => ({
  path: `/opentelemetry.proto.collector.${signal}.${message}Service/Export`,
  address,
  contentType: "application/x-protobuf",
});

/** One more call is one line. */
const calls: readonly GrpcCall[] = [
  ofConnect(pushProfiles.path),
  ofConnect(writeRawProfiles.path),
  ...[
    queryProfileTypes,
    queryLabelNames,
    queryLabelValues,
    querySeries,
    selectMergeStacktraces,
    selectMergeSpanProfile,
    selectMergeProfile,
    selectSeries,
    selectHeatmap,
    queryDiff,
    queryProfileStats,
    analyzeQuery,
    readSettings,
  ].map(({ path }) => ofConnect(path)),
  ofOtlp("profiles.v1development", "Profiles", ingestOtlpProfiles.path),
  ofOtlp("trace.v1", "Trace", ingestOtlpTraces.path),
  ofOtlp("metrics.v1", "Metrics", ingestOtlpMetrics.path),
];

/** For replies, which are short: messages are inflated where those of HTTP are. */
const compressionZstd = {
  name: "zstd",
  compress: async (bytes: Uint8Array) => Uint8Array.from(await promisify(zstdCompress)(bytes)),
  decompress: async (bytes: Uint8Array) => Uint8Array.from(await promisify(zstdDecompress)(bytes)),
};

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;

const sentMessage = createContextKey<SentMessage>({ bytes: Buffer.alloc(0), compression: undefined });
/** A message without fields, in its frame. */
const emptyFrame = new Uint8Array(5);

/** How calls are answered. `answer` calls `onRead` once the message was read; it resolves when the reply was sent. */
export interface GrpcHandler {
  readonly has: (path: string) => boolean;
  readonly answer: (request: Request, response: Response, onRead: () => void) => Promise<void>;
}

/**
 * Answers gRPC and gRPC-Web by the addresses that take the same messages, so that every rule of those holds. The library gets an empty
 * message in place of each: it would inflate and read them on this thread, and make an object of every field.
 */
export function grpcHandler(app: FastifyInstance, messageBytesMax: number): GrpcHandler {
  const router = createConnectRouter({
    connect: false,
    acceptCompression: [compressionGzip, compressionZstd],
  });
  for (const call of calls) {
    const { name, service } = rawService(call.path);
    const answer = (_empty: Empty, context: HandlerContext) => forward(app, call, context);
    router.rpc(service.method[name]!, answer as never);
  }
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return {
    has: (path) => handlers.has(path),
    answer: async (request, response, onRead) => {
      const contextValues = createContextValues();
      const sent = universalRequestFromNodeRequest(
        request as never,
        response as never,
        undefined,
        contextValues,
      );
      const body = sent.body as AsyncIterable<Uint8Array>;
      async function* withoutMessage() {
        const message = await readMessage(body, sent.header.get("grpc-encoding"), messageBytesMax);
        onRead();
        contextValues.set(sentMessage, message);
        yield emptyFrame;
      }
      try {
        const reply = await handlers.get(pathOf(request))!({ ...sent, body: withoutMessage() });
        // The call may have been given up meanwhile.
        if (!response.headersSent) await universalResponseToNodeResponse(reply, response as never);
      } catch (error) {
        // The sender is gone.
        if (ConnectError.from(error).code !== Code.Aborted) throw error;
      }
    },
  };
}

export function pathOf({ url = "" }: Request): string {
  return url.split("?", 1)[0]!;
}

/** A service whose messages have no known field, so that those of all replies are kept. */
export function rawService(path: string): { readonly name: string; readonly service: DescService } {
  const [, service = "", method = ""] = path.split("/");
  const at = service.lastIndexOf(".");
  const type = ".google.protobuf.Empty";
  const file = create(FileDescriptorProtoSchema, {
    name: `${service}.proto`,
    package: service.slice(0, at),
    syntax: "proto3",
    dependency: [file_google_protobuf_empty.proto.name],
    service: [{ name: service.slice(at + 1), method: [{ name: method, inputType: type, outputType: type }] }],
  });
  const found = createFileRegistry(file, () => file_google_protobuf_empty).getService(service)!;
  return { name: found.methods[0]!.localName, service: found };
}

async function forward(
  app: FastifyInstance,
  { address, contentType }: GrpcCall,
  { requestHeader, values }: HandlerContext,
): Promise<Empty> {
  const headers = Object.fromEntries([...requestHeader].filter(([name]) => isForwarded(name)));
  const { bytes, compression } = values.get(sentMessage);
  const reply = await app.inject({
    method: "POST",
    url: address,
    headers: {
      ...headers,
      "content-type": contentType,
      ...(compression !== undefined && { "content-encoding": compression }),
    },
    payload: bytes,
  });
  if (reply.statusCode !== 200) throw failureOf(reply.rawPayload, String(reply.headers["content-type"]));
  return fromBinary(EmptySchema, reply.rawPayload);
}

/** Headers that describe the message are of gRPC's frame, not of the message in it. */
function isForwarded(name: string): boolean {
  return !/^(:|grpc-|content-|connection$|te$|transfer-encoding$|host$|accept-encoding$)/.test(name);
}

/** Addresses of Connect say what went wrong in JSON, those of OTLP as `google.rpc.Status`. */
function failureOf(payload: Buffer, contentType: string): ConnectError {
  if (!contentType.includes("protobuf")) {
    const { code, message } = JSON.parse(payload.toString()) as { code: ConnectCode; message: string };
    return new ConnectError(message, grpcStatus[code]);
  }
  const reader = new BinaryReader(payload);
  let code = Code.Unknown;
  let message = "";
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1) code = reader.int32();
    else if (field === 2) message = reader.string();
    else reader.skip(type);
  }
  return new ConnectError(message, code);
}
