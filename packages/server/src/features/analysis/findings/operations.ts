import type * as calls from "@flamekeep/contract";
import type { Finding, InputOf, ReplyOf } from "@flamekeep/contract";
import { markAdvice } from "#analysis/store/mark-advice.ts";
import { feedbackOf } from "#analysis/store/queries.ts";
import type { Actor, Context, UserActor } from "#context";
import { invalid, notFound, unprocessable } from "#failure";
import { byName } from "#http/query/page.ts";
import { isMember } from "#store/row/members.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { inOrder, pageAfter, totalsOf } from "./order.ts";
import { toFinding } from "./present.ts";
import { readPrice } from "./price.ts";
import {
  findFinding,
  findingsWithIds,
  type ListedFinding,
  listedFindings,
  memberNames,
  storeOwner,
} from "./queries.ts";
import { type FindingRow, storedFindingOf } from "./stored-finding.ts";

type ListInput = InputOf<typeof calls.listFindings>;

export async function listFindings(
  { rows }: Context,
  { orgId }: Actor,
  input: ListInput,
): Promise<ReplyOf<typeof calls.listFindings>> {
  const [all, members, price] = await Promise.all([
    listedFindings(rows, orgId),
    memberNames(rows, orgId),
    readPrice(rows, orgId),
  ]);
  const matching = all.filter((finding) => isWanted(finding, input, members));
  const count = (state: ListedFinding["state"]) => matching.filter((each) => each.state === state).length;
  const placed = inOrder(
    matching.filter(({ state }) => hasState(state, input.state)),
    price,
  );
  const { ids, next_cursor } = pageAfter(placed, input.cursor, input.limit);
  const found = await findingsWithIds(rows, orgId, ids);
  return {
    // A finding may be removed between the two reads.
    findings: await presentAll(
      rows,
      orgId,
      ids.flatMap((id) => found.get(id) ?? []),
      { members, price },
    ),
    next_cursor,
    totals: totalsOf(matching, price),
    counts: {
      open: count("open"),
      accepted: count("accepted"),
      done: count("done"),
      dismissed: count("dismissed"),
    },
    services: [...new Set(all.map(({ service }) => service))].sort(byName),
    price,
  };
}

function isWanted(
  { service, category, ownerId }: ListedFinding,
  wanted: ListInput,
  members: ReadonlyMap<string, string>,
): boolean {
  if (wanted.service !== undefined && service !== wanted.service) return false;
  if (wanted.category !== undefined && category !== wanted.category) return false;
  if (wanted.owner === undefined) return true;
  return wanted.owner === "none" ? ownerId === null || !members.has(ownerId) : ownerId === wanted.owner;
}

function hasState(state: ListedFinding["state"], wanted: ListInput["state"]): boolean {
  if (wanted === "all") return true;
  return wanted === "active" ? state === "open" || state === "accepted" : state === wanted;
}

export async function updateFinding(
  ctx: Context,
  actor: UserActor,
  { id, state, reason, owner_id: ownerId }: InputOf<typeof calls.updateFinding>,
): Promise<{ finding: Finding }> {
  const { orgId } = actor;
  const row = await readFinding(ctx, orgId, id);
  if (state === undefined && reason !== undefined)
    throw invalid("Field 'state' is required with a reason: a reason belongs to a state");
  // Nothing is stored of a change that is refused.
  if (ownerId) await checkMember(ctx.rows, orgId, ownerId);
  if (state !== undefined) {
    const { service, rule, function: name, category, lastSeenAt } = row;
    const { type } = storedFindingOf(row);
    const advice = { key: { orgId, service, rule, function: name }, category, type, subjectAt: lastSeenAt };
    await markAdvice(ctx, actor, advice, { state, reason });
  }
  if (ownerId !== undefined) await assign(ctx, orgId, { id, ownerId });
  ctx.log.info({ orgId, userId: actor.userId, findingId: id, state, ownerId }, "finding changed");
  const [members, price] = await Promise.all([memberNames(ctx.rows, orgId), readPrice(ctx.rows, orgId)]);
  const changed = [await readFinding(ctx, orgId, id)];
  const [finding] = await presentAll(ctx.rows, orgId, changed, { members, price });
  return { finding: finding! };
}

async function readFinding({ rows }: Context, orgId: string, id: string): Promise<FindingRow> {
  const row = await findFinding(rows, orgId, id);
  if (row === undefined) throw notFound("Finding", id);
  return row;
}

function assign(ctx: Context, orgId: string, owner: Pick<FindingRow, "id" | "ownerId">): Promise<void> {
  return lockedTransaction(ctx.rows, orgId, async (rows) => {
    // A person who leaves at the same time must not stay the owner.
    if (owner.ownerId !== null) await checkMember(rows, orgId, owner.ownerId);
    await storeOwner(rows, orgId, owner);
  });
}

async function checkMember(rows: Context["rows"], orgId: string, userId: string): Promise<void> {
  if (!(await isMember(rows, orgId, userId)))
    throw unprocessable("Only members of your organization can own a finding. Choose one of them.");
}

async function presentAll(
  rows: Context["rows"],
  orgId: string,
  found: readonly FindingRow[],
  { members, price }: Omit<Parameters<typeof toFinding>[1], "feedback">,
): Promise<Finding[]> {
  const feedback = await feedbackOf(
    rows,
    orgId,
    found.map(({ service }) => service),
  );
  const byKey = new Map(feedback.map((each) => [keyOf(each), each]));
  return found.map((row) => toFinding(row, { members, price, feedback: byKey.get(keyOf(row)) }));
}

function keyOf({ service, rule, function: name }: Pick<FindingRow, "service" | "rule" | "function">): string {
  return JSON.stringify([service, rule, name]);
}
