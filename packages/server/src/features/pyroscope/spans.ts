import { storedTypeOf } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { Failure, invalid, unprocessable } from "#failure";
import { toWholeMinutes } from "#http/query/time-range.ts";
import { type Original, readOriginal } from "#store/payloads/read-payload.ts";
import { readerTasks } from "./merge.ts";
import { profilesWithLabels, type TracedRow } from "./select/queries.ts";
import { queriesOf, type Selection } from "./select/selection.ts";
import type { SpanSums } from "./span-stacks.ts";

const spansMax = 50;
/** Profiles that are opened for one query, and their bytes as they were sent. */
const [profilesMax, bytesMax] = [200, 64 * 1024 * 1024];

/** Labels of samples that SDKs name spans by: Pyroscope's, OpenTelemetry's and Datadog's. */
export const spanLabels: readonly string[] = ["profile_id", "span_id", "span id"];

/** The profiles that may have samples of these spans. Throws if there are too many to open. */
export async function readSpanProfiles(
  ctx: Context,
  selection: Selection,
  spans: readonly string[],
): Promise<Original[]> {
  if (spans.length > spansMax) throw invalid(`Give at most ${spansMax} spans in span_selector.`);
  refuseLabels(selection);
  const { fromMs, toMs } = toWholeMinutes(selection.range);
  // A profile that began before the span has samples of it, too.
  const rows = await tracedRows(ctx, { ...selection, range: { fromMs: fromMs - minuteMs, toMs } });
  return readOriginals(ctx, selection, rows);
}

/** The profiles of a range with the sum of each of their spans. Throws if there are too many to open. */
export async function readSpanSums(
  ctx: Context,
  selection: Selection,
  groupBy: readonly string[],
): Promise<(TracedRow & SpanSums)[]> {
  refuseLabels(selection);
  const rows = await tracedRows(ctx, selection, groupBy);
  const { sampleType } = selection.named;
  const originals = await readOriginals(ctx, selection, rows);
  const sums = await ctx.decoders.open(readerTasks, "sumsOfSpans", { originals, sampleType, spanLabels });
  return rows.map((row, at) => ({ ...row, ...sums[at]! }));
}

function refuseLabels({ parts }: Selection): void {
  if (parts.some(({ labels }) => labels !== undefined))
    throw new Failure(
      "unimplemented",
      "Spans cannot be selected together with labels of samples here: leave those labels out.",
    );
}

/** Ids of spans are not in the columns of profiles, only in their original bytes. */
async function tracedRows(
  ctx: Context,
  selection: Selection,
  groupBy: readonly string[] = [],
): Promise<TracedRow[]> {
  const queries = queriesOf(selection).map((params) =>
    ctx.columns.query(profilesWithLabels, {
      ...params,
      groupBy: [...groupBy],
      labelNames: [...spanLabels],
      rowsMax: profilesMax + 1,
    }),
  );
  const rows = (await Promise.all(queries)).flat();
  const bytes = rows.reduce((sum, { payloadBytes }) => sum + payloadBytes, 0);
  if (rows.length > profilesMax || bytes > bytesMax)
    throw unprocessable(
      `More than ${profilesMax} profiles, or ${bytesMax / 2 ** 20} MB, of this range have spans. Choose a shorter range, or name a service with service_name.`,
    );
  return rows;
}

function readOriginals(
  ctx: Context,
  { orgId, named }: Selection,
  rows: readonly TracedRow[],
): Promise<Original[]> {
  const type = storedTypeOf(named.type);
  return Promise.all(
    rows.map(({ profileId, sampleTypes }) =>
      readOriginal(ctx.payloads, orgId, { profileId, type, sampleTypes }),
    ),
  );
}
