import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { create, createFileRegistry, type DescService, fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import {
  type Empty,
  EmptySchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_empty,
} from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import {
  type ConnectCode,
  grpcStatus,
  ingestOtlpMetrics,
  ingestOtlpProfiles,
  ingestOtlpTraces,
  pushProfiles,
  writeRawProfiles,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";

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
  ofOtlp("profiles.v1development", "Profiles", ingestOtlpProfiles.path),
  ofOtlp("trace.v1", "Trace", ingestOtlpTraces.path),
  ofOtlp("metrics.v1", "Metrics", ingestOtlpMetrics.path),
];

const unpack = promisify(zstdDecompress);
const pack = promisify(zstdCompress);
const compressionZstd = {
  name: "zstd",
  compress: async (bytes: Uint8Array) => Uint8Array.from(await pack(bytes)),
  decompress: async (bytes: Uint8Array, bytesMax: number) => {
    if (bytes.length === 0) return new Uint8Array();
    const unpacked = unpack(bytes, { maxOutputLength: bytesMax });
    return Uint8Array.from(
      await unpacked.catch((cause: NodeJS.ErrnoException) => {
        const isTooLarge = cause.code === "ERR_BUFFER_TOO_LARGE";
        const text = isTooLarge
          ? `The message has more than ${bytesMax} bytes.`
          : "The zstd data is damaged.";
        throw new ConnectError(text, isTooLarge ? Code.ResourceExhausted : Code.InvalidArgument);
      }),
    );
  },
};

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;
type GrpcHandler = (request: Request, response: Response) => void;

/** Answers gRPC and gRPC-Web by the addresses that take the same messages, so that every rule of those holds. */
export function grpcHandler(app: FastifyInstance, messageBytesMax: number): GrpcHandler {
  const handler = connectNodeAdapter({
    connect: false,
    readMaxBytes: messageBytesMax,
    acceptCompression: [compressionGzip, compressionZstd],
    routes: (router) => {
      for (const call of calls) {
        const { name, service } = rawService(call.path);
        const answer = (message: Empty, context: HandlerContext) => forward(app, call, message, context);
        router.rpc(service.method[name]!, answer as never);
      }
    },
  });
  return (request, response) => handler(request as never, response as never);
}

/** A service whose messages have no known field, so that the bytes of all are kept. */
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
  message: Empty,
  { requestHeader }: HandlerContext,
): Promise<Empty> {
  const headers = Object.fromEntries([...requestHeader].filter(([name]) => isForwarded(name)));
  const reply = await app.inject({
    method: "POST",
    url: address,
    headers: { ...headers, "content-type": contentType },
    payload: Buffer.from(bytesOf(message)),
  });
  if (reply.statusCode !== 200) throw failureOf(reply.rawPayload, String(reply.headers["content-type"]));
  return fromBinary(EmptySchema, reply.rawPayload);
}

/** Headers that describe the message are of gRPC's frame, not of the message in it. */
function isForwarded(name: string): boolean {
  return !/^(:|grpc-|content-|connection$|te$|transfer-encoding$|host$|accept-encoding$)/.test(name);
}

function bytesOf({ $unknown = [] }: Empty): Uint8Array {
  const writer = new BinaryWriter();
  for (const { no, wireType, data } of $unknown) writer.tag(no, wireType).raw(data);
  return writer.finish();
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
