import { gunzipSync, zstdDecompressSync } from "node:zlib";
import * as calls from "@flamekeep/contract";
import type { MessageName } from "@flamekeep/contract/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "#context";
import { invalid } from "#failure";
import { answerAsConnect, checkConnectCall } from "#http/connect-protocol/connect.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type ServeOptions, serve, uploadOf } from "#http/endpoint/serve.ts";
import { FileReply } from "#http/reply/reply.ts";
import * as catalogue from "./catalogue.ts";
import * as graphs from "./graphs.ts";
import { heatmap } from "./heatmap.ts";
import { type ReaderOperation, WrittenMessage } from "./operation.ts";
import { render, renderComparison, renderedLabelValues } from "./render.ts";
import { seriesOfValues } from "./values.ts";

/** A dashboard of many panels makes some calls a second. */
const callsPerMinute = 1200;
const messageBytesMax = 64 * 1024;

type ConnectCall = typeof calls.queryProfileTypes | typeof calls.readSettings;

interface ReaderCall {
  readonly call: ConnectCall;
  readonly request: MessageName;
  readonly reply: MessageName;
  readonly operation: ReaderOperation<MessageName, MessageName>;
}

function readerCall<Q extends MessageName, R extends MessageName>(
  call: { readonly path: string },
  request: Q,
  reply: R,
  operation: ReaderOperation<Q, R>,
): ReaderCall {
  return { call, request, reply, operation } as unknown as ReaderCall;
}

/** One more call is one line, and its messages in the contract. */
const readerCalls: readonly ReaderCall[] = [
  readerCall(calls.queryProfileTypes, "ProfileTypesRequest", "ProfileTypesResponse", catalogue.profileTypes),
  readerCall(calls.queryLabelNames, "LabelNamesRequest", "LabelNamesResponse", catalogue.labelNames),
  readerCall(calls.queryLabelValues, "LabelValuesRequest", "LabelValuesResponse", catalogue.labelValues),
  readerCall(calls.querySeries, "SeriesRequest", "SeriesResponse", catalogue.series),
  readerCall(
    calls.selectMergeStacktraces,
    "SelectMergeStacktracesRequest",
    "SelectMergeStacktracesResponse",
    graphs.mergedStacktraces,
  ),
  readerCall(
    calls.selectMergeSpanProfile,
    "SelectMergeSpanProfileRequest",
    "SelectMergeSpanProfileResponse",
    graphs.mergedSpans,
  ),
  readerCall(calls.selectMergeProfile, "SelectMergeProfileRequest", "Profile", graphs.mergedProfile),
  readerCall(calls.selectSeries, "SelectSeriesRequest", "SelectSeriesResponse", seriesOfValues),
  readerCall(calls.selectHeatmap, "SelectHeatmapRequest", "SelectHeatmapResponse", heatmap),
  readerCall(calls.queryDiff, "DiffRequest", "DiffResponse", graphs.diff),
  readerCall(calls.queryProfileStats, "Empty", "GetProfileStatsResponse", catalogue.profileStats),
  readerCall(calls.analyzeQuery, "AnalyzeQueryRequest", "AnalyzeQueryResponse", catalogue.analysis),
  readerCall(calls.readSettings, "Empty", "GetSettingsResponse", catalogue.settings),
];

/** Pyroscope's query API, for Grafana and other readers. */
export function registerPyroscope(app: FastifyInstance, ctx: Context): void {
  const rate = perMinute(app, "pyroscope", callsPerMinute);
  app.register((scope, _options, done) => {
    answerAsConnect(scope);
    const options: ServeOptions<Sent> = {
      rate,
      bodyBytesMax: messageBytesMax,
      fromRequest: sentBy,
      beforeBody: checkConnectCall,
    };
    for (const { call, request, reply, operation } of readerCalls) {
      serve(
        scope,
        ctx,
        call,
        async (ctx, { orgId }, _input, { bytes, isJson }) => {
          const { readMessage, writeMessage } = await openCodec();
          const answer = await operation({ ctx, orgId, isJson }, readMessage(request, bytes(), isJson));
          const written =
            answer instanceof WrittenMessage ? answer.bytes : writeMessage(reply, answer, isJson);
          return new FileReply(isJson ? "application/json" : "application/proto", written);
        },
        options,
      );
    }
    done();
  });
  const reading = (orgId: string) => ({ ctx, orgId, isJson: true });
  const options = { rate };
  serve(app, ctx, calls.renderProfiles, (_ctx, { orgId }, input) => render(reading(orgId), input), options);
  serve(
    app,
    ctx,
    calls.renderDiff,
    (_ctx, { orgId }, input) => renderComparison(reading(orgId), input),
    options,
  );
  serve(
    app,
    ctx,
    calls.renderLabelValues,
    (_ctx, { orgId }, input) => renderedLabelValues(reading(orgId), input),
    options,
  );
}

/** Loads the library with the first request: many servers never get one. */
function openCodec() {
  return import("./wire/codec.ts");
}

interface Sent {
  readonly bytes: () => Uint8Array;
  readonly isJson: boolean;
}

function sentBy(request: FastifyRequest): Sent {
  const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  return { isJson, bytes: () => inflated(uploadOf(request), encoding) };
}

/** A message is as small as its request, so that inflating it never takes long. */
function inflated(body: Buffer, encoding: string): Uint8Array {
  if (encoding === "identity" || body.length === 0) return body;
  const options = { maxOutputLength: messageBytesMax };
  try {
    return encoding === "gzip" ? gunzipSync(body, options) : zstdDecompressSync(body, options);
  } catch {
    throw invalid(
      `The message is not ${encoding}, or it has more than ${messageBytesMax} bytes decompressed.`,
    );
  }
}
