import { type ConnectCode, grpcStatus, writeRawProfiles } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import { answerAsConnect, checkConnectCall, emptyMessage } from "#http/connect-protocol/connect.ts";
import { isGrpc } from "#http/connect-protocol/grpc-reply.ts";
import { refused } from "#ingest/upload/refusal.ts";
import { encodeSeries, servicesOfSeries, uploadNamedBy } from "./push.ts";
import type { PushSeries, SeriesMessage } from "./push-message.ts";
import { profileLimits, uploadEndpoint } from "./upload-endpoint.ts";

/** Where Parca's own server translates JSON to the call. */
const gatewayPath = "/api/profiles/writeraw";

const writeRawRequest: SeriesMessage = {
  name: "parca.profilestore.v1alpha1.WriteRawRequest",
  seriesField: 2,
  hasLabelSets: true,
};

/** Parca knows no label for the service. These are in use, the most telling first. */
const serviceLabels = ["service_name", "service", "app", "job", "container", "comm"];

/** `parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw`: series with labels and profiles, in protobuf or JSON. */
export const parcaEndpoint = uploadEndpoint({
  call: endpointOf(writeRawProfiles),
  paths: [writeRawProfiles.path, gatewayPath],
  limits: profileLimits,
  encode: (request, sent) => encodeSeries(request, sent, writeRawRequest, uploadOf),
  reply: (_stored, { contentType }) => emptyMessage(contentType),
  beforeBody: checkConnectCall,
  addHooks: answerAsParca,
});

/** As `servicesOfSeries`. */
export function servicesOfWrite(body: Uint8Array): readonly string[] {
  return servicesOfSeries(body, writeRawRequest, serviceLabels);
}

function uploadOf(series: PushSeries) {
  if (series.labels.some(([name, value]) => name === "__name__" && value !== "")) {
    return uploadNamedBy(series, serviceLabels);
  }
  return refused(
    "invalid",
    "parca_name",
    "The label __name__ is missing. Set it to the kind of profile: process_cpu, memory, goroutine, mutex, block.",
  );
}

/** The gateway says the status as a number of gRPC. */
function answerAsParca(scope: FastifyInstance): void {
  answerAsConnect(scope);
  scope.addHook("preSerialization", async (request, reply, payload) => {
    if (reply.statusCode < 400 || isGrpc(request) || !request.url.startsWith(gatewayPath)) return payload;
    const { code, message } = payload as { code: ConnectCode; message: string };
    return { code: grpcStatus[code], message, details: [] };
  });
}
