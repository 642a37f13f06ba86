import { randomUUID } from "node:crypto";
import * as calls from "@flamekeep/contract";
import { displayTypeOf, type IngestedProfile, type OwnLimits, readableLine } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import { createOpaqueToken } from "#auth/tokens/opaque-token.ts";
import { type Context, openedOrgId } from "#context";
import { Failure, forbidden, invalid, quotaExceeded, rateLimited } from "#failure";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type Operation, type ServeOptions, serve, uploadOf } from "#http/endpoint/serve.ts";
import { readOwnLimits } from "#store/row/organization-limits.ts";
import { limitSimultaneous } from "./simultaneous.ts";

/** Files per minute of a network address. */
const filesPerMinute = 20;
const keptMs = dayMs;

interface Owner {
  readonly orgId: string;
  readonly orgRetentionDays: number;
  readonly ownLimits: OwnLimits;
}

interface File {
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

interface OpeningContext extends Context {
  readonly ingest: {
    /** Stores a file that a person opens, by the limits of its organization. */
    readonly openFile: (owner: Owner, file: File) => Promise<IngestedProfile>;
  };
}

/** Files of people without an account. Each is read-only behind links that nobody can guess, and ends after a day. */
export function registerOpenedFiles(app: FastifyInstance, ctx: OpeningContext): void {
  app.register((scope, _options, done) => {
    const { openFiles } = ctx.config;
    if (openFiles !== undefined) limitSimultaneous(scope);
    const options: ServeOptions<Uint8Array> = {
      bodyBytesMax: openFiles?.sizeBytesMax ?? 1,
      rate: perMinute(scope, "opened files", filesPerMinute),
      beforeBody: async ({ headers }) => {
        if (openFiles === undefined) throw notAllowed();
        const declared = Number(headers["content-length"] ?? 0);
        if (declared > openFiles.sizeBytesMax) throw fileTooLarge(openFiles.sizeBytesMax);
      },
      fromRequest: (request) => Uint8Array.from(uploadOf(request)),
    };
    serve(scope, ctx, calls.openFile, openFile, options);
    done();
  });
}

const openFile: Operation<typeof calls.openFile, OpeningContext, Uint8Array> = async (
  ctx,
  _actor,
  { file: path, type },
  body,
) => {
  if (body.length === 0) throw invalid("The file is empty.");
  const file = readableLine(path).toWellFormed();
  const now = ctx.now();
  const bytes = body.length;
  const opened = await store(ctx, body, { file, now, ...(type !== undefined && { type }) });
  const expiresAt = new Date(now.getTime() + keptMs).toISOString();
  const graphs = await Promise.all(
    graphsOf(opened).map((profileId) => createLink(ctx, { profileId, file, expiresAt })),
  );
  ctx.log.info({ orgId: openedOrgId, service: opened.service, bytes }, "file opened without an account");
  return {
    file,
    recognized_as: opened.recognized_as ?? "a profile",
    sample_count: opened.sample_count,
    graphs,
    expires_at: expiresAt,
  };
};

interface Named {
  readonly file: string;
  readonly type?: string;
  readonly now: Date;
}

/**
 * Each file is a service with a random name and listed now: profiles of different people share no series, labels or ids, and
 * the retention of the organization removes all of them.
 */
async function store(
  ctx: OpeningContext,
  body: Uint8Array,
  { file, type, now }: Named,
): Promise<IngestedProfile> {
  const service = `file-${randomUUID()}`;
  const query = { service, file, started_at: now.toISOString(), ...(type !== undefined && { type }) };
  const { openFiles } = ctx.config;
  const own = await readOwnLimits(ctx.rows, openedOrgId);
  const ownLimits = { ...(openFiles && { stored_bytes: openFiles.storedBytesMax }), ...own };
  try {
    return await ctx.ingest.openFile({ orgId: openedOrgId, orgRetentionDays: 1, ownLimits }, { query, body });
  } catch (error) {
    throw forVisitor(error);
  }
}

/** The messages of these limits are for members of an organization. */
function forVisitor(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === "quota_exceeded")
    return quotaExceeded(
      "This server has no room for more files today. Try again tomorrow, or sign in to open the file.",
    );
  if (error.code === "rate_limited")
    return rateLimited("This server is busy. Try again in a minute.", error.retryAfterSeconds ?? 60);
  return error;
}

function graphsOf({ profile_id, also_listed: others = [] }: IngestedProfile): string[] {
  return [profile_id, ...others.map((other) => other.profile_id)];
}

interface NewLink {
  readonly profileId: string;
  readonly file: string;
  readonly expiresAt: string;
}

/** The token is only in this reply: the store has its hash. */
async function createLink(ctx: Context, { profileId, file, expiresAt }: NewLink) {
  const profile = await ctx.profiles.read(openedOrgId, profileId);
  const { text, hash: tokenHash } = createOpaqueToken();
  const type = displayTypeOf(profile.type, profile.sample_types);
  const fromMs = profile.started_at.getTime();
  await ctx.rows
    .insertInto("openedFiles")
    .values({
      id: randomUUID(),
      orgId: openedOrgId,
      tokenHash,
      file,
      service: profile.service,
      type,
      fromAt: new Date(fromMs).toISOString(),
      toAt: new Date(fromMs + Number(profile.duration_ns) / 1e6).toISOString(),
      profileId,
      expiresAt,
    })
    .execute();
  return { type, url: `${ctx.config.publicUrl}/shared/${text}` };
}

const notAllowed = () =>
  forbidden(
    "This server opens files only for people who are signed in. Sign in, then drop the file on any page.",
  );

function fileTooLarge(bytesMax: number): Failure {
  return new Failure(
    "too_large",
    `The file is larger than ${bytesMax} bytes, the most that this server opens without an account. Sign in to open larger files.`,
  );
}
