import { limits } from "@flamekeep/contract";
import { Failure, invalid } from "#failure";
import { toWholeMinutes } from "#http/query/time-range.ts";
import type { Levels } from "./graph/levels.ts";
import { overStacks, readerTasks } from "./merge.ts";
import { type ReaderOperation, type Reading, WrittenMessage } from "./operation.ts";
import { partsOf } from "./select/profile-type-ids.ts";
import { type Selection, type SelectRequest, select, separated } from "./select/selection.ts";
import { readSpanProfiles, spanLabels } from "./spans.ts";
import type { ReplyForm } from "./tasks.ts";
import type { MessageOf } from "./wire/message-of.ts";

type StacksRequest = MessageOf<"SelectMergeStacktracesRequest">;

/** As Pyroscope's default. */
const nodesByDefault = 8192;
const formats = ["flamegraph", "flamegraph", "tree", "dot", "pprof"] as const;
const treeFormat = formats.indexOf("tree");

export function nodesOf(given: bigint | number | undefined): number {
  const count = Number(given ?? 0);
  return count <= 0 ? nodesByDefault : Math.min(count, limits.flameGraphNodesMax);
}

function partsOfStacks(selector: MessageOf<"StackTraceSelector"> | undefined) {
  const { callSite = [], goPgo } = selector ?? {};
  return {
    callSite: callSite.flatMap((location) => (location === undefined ? [] : [location.name])),
    keptFrames: goPgo?.keepLocations ?? 0,
    ignoresLeafLine: goPgo?.aggregateCallees ?? false,
  };
}

const wholeStacks = partsOfStacks(undefined);

function refuseUnsupported({ profileIdSelector, traceIdSelector, async }: Partial<StacksRequest>): void {
  if ((profileIdSelector?.length ?? 0) > 0 || (traceIdSelector?.length ?? 0) > 0)
    throw new Failure(
      "unimplemented",
      "Profiles cannot be selected by profile_id_selector or trace_id_selector here: select them by labels and range.",
    );
  if (async !== undefined && async.type !== 0)
    throw new Failure("unimplemented", "Queries are answered at once here: leave out async.");
}

interface Asked {
  readonly format: ReplyForm["format"];
  readonly maxNodes: bigint | undefined;
  readonly selector: MessageOf<"StackTraceSelector"> | undefined;
  /** Only samples of these spans; empty for all. */
  readonly spans: readonly string[];
}

async function reply(
  { ctx, orgId, isJson }: Reading,
  request: SelectRequest,
  { format, maxNodes, selector, spans }: Asked,
): Promise<WrittenMessage> {
  const selection = await select(ctx, orgId, request);
  // Whole minutes are merged.
  const { fromMs, toMs } = toWholeMinutes(selection.range);
  const { periodType, periodUnit } = partsOf(selection.named);
  const form = {
    nodesMax: nodesOf(maxNodes),
    parts: partsOfStacks(selector),
    format,
    isJson,
    timeMs: toMs,
    durationMs: toMs - fromMs,
    periodType: { type: periodType, unit: periodUnit },
  };
  if (spans.length > 0) {
    const originals = await readSpanProfiles(ctx, selection, spans);
    const { sampleType } = selection.named;
    const task = { ...form, sideCount: 1 as const, originals, sampleType, spans, spanLabels };
    return new WrittenMessage(await ctx.decoders.open(readerTasks, "spanReply", task));
  }
  const bytes = await overStacks(ctx, [selection], (stacks) =>
    ctx.decoders.run(readerTasks, "graphReply", { ...stacks, ...form }),
  );
  return new WrittenMessage(bytes ?? Buffer.from(isJson ? emptyJson[format] : emptyProtobuf[format]));
}

/** The reply for a range without profiles. `pprof` has an empty profile: clients take a missing one for an old server. */
const emptyJson: Readonly<Record<ReplyForm["format"], string>> = {
  flamegraph: '{"flamegraph":{}}',
  tree: "{}",
  dot: "{}",
  pprof: '{"pprof":{"profile":{"stringTable":[""]}}}',
  profile: '{"stringTable":[""]}',
};
const emptyProtobuf: Readonly<Record<ReplyForm["format"], Uint8Array>> = {
  flamegraph: Uint8Array.of(0x0a, 0),
  tree: Uint8Array.of(),
  dot: Uint8Array.of(),
  pprof: Uint8Array.of(0x2a, 4, 0x0a, 2, 0x32, 0),
  profile: Uint8Array.of(0x32, 0),
};

export const mergedStacktraces: ReaderOperation<
  "SelectMergeStacktracesRequest",
  "SelectMergeStacktracesResponse"
> = async (reading, request) => {
  refuseUnsupported(request);
  return reply(reading, request, {
    format: formats[request.format] ?? "flamegraph",
    maxNodes: request.maxNodes,
    selector: request.stackTraceSelector,
    spans: request.spanSelector,
  });
};

export const mergedSpans: ReaderOperation<
  "SelectMergeSpanProfileRequest",
  "SelectMergeSpanProfileResponse"
> = async (reading, request) => {
  return reply(reading, request, {
    format: request.format === treeFormat ? "tree" : "flamegraph",
    maxNodes: request.maxNodes,
    selector: undefined,
    spans: request.spanSelector,
  });
};

export const mergedProfile: ReaderOperation<"SelectMergeProfileRequest", "Profile"> = async (
  reading,
  request,
) => {
  refuseUnsupported(request);
  return reply(reading, request, {
    format: "profile",
    maxNodes: request.maxNodes,
    selector: request.stackTraceSelector,
    spans: [],
  });
};

export const diff: ReaderOperation<"DiffRequest", "DiffResponse"> = async (reading, { left, right }) => {
  if (left === undefined || right === undefined) throw invalid("A comparison needs left and right.");
  const sides = separated(await sideOf(reading, left), await sideOf(reading, right));
  const { ctx, isJson } = reading;
  const bytes = await overStacks(ctx, sides, (stacks) =>
    ctx.decoders.run(readerTasks, "graphReply", {
      ...stacks,
      nodesMax: nodesOf(left.maxNodes ?? right.maxNodes),
      parts: wholeStacks,
      format: "flamegraph",
      isJson,
      timeMs: 0,
      durationMs: 0,
      periodType: { type: "", unit: "" },
    }),
  );
  return new WrittenMessage(bytes ?? Buffer.from(isJson ? emptyJson.flamegraph : emptyProtobuf.flamegraph));
};

async function sideOf(reading: Reading, request: StacksRequest): Promise<Selection> {
  refuseUnsupported(request);
  if (request.spanSelector.length > 0)
    throw new Failure("unimplemented", "Spans cannot be compared here: leave out span_selector.");
  return select(reading.ctx, reading.orgId, request);
}

const noLevels: Levels = { names: [], levels: [], totals: [0, 0], maxSelf: 0 };

/** The rows of the graph of one or two selections. */
export async function levelsOfSelections(
  { ctx }: Reading,
  selections: readonly Selection[],
  nodesMax: number,
): Promise<Levels> {
  const found = await overStacks(ctx, selections, (stacks) =>
    ctx.decoders.run(readerTasks, "graphLevels", { ...stacks, nodesMax, parts: wholeStacks }),
  );
  return found ?? noLevels;
}

export async function dotOfSelection(
  { ctx }: Reading,
  selection: Selection,
  nodesMax: number,
): Promise<string> {
  const task = { nodesMax, parts: wholeStacks };
  const found = await overStacks(ctx, [selection], (stacks) =>
    ctx.decoders.run(readerTasks, "graphDot", { ...stacks, ...task }),
  );
  return found ?? "";
}
