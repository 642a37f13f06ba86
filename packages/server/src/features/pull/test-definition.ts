import { constants, gunzipSync } from "node:zlib";
import type { ReplyOf, TargetProfile, TestedInstance, testTarget } from "@flamekeep/contract";
import { readerOf, readProfile, sniff, refusalOf as unreadable } from "@flamekeep/profile";
import type { Context } from "#context";
import { Client, type Got, PullError } from "./connect/client.ts";
import { openReach } from "./connect/reach.ts";
import { type Resolver, systemResolver } from "./discovery/dns.ts";
import { findInstances } from "./discovery/find-instances.ts";
import type { Instance } from "./discovery/instance.ts";
import { profilePaths } from "./profile-paths.ts";
import type { StoredTarget } from "./queries.ts";
import { addressOf, refusalOf, tooLarge } from "./scrape.ts";
import { openHeaders } from "./secret-headers.ts";

type Tested = ReplyOf<typeof testTarget>;

const instancesMax = 3;
/** Within the time of a request. */
const answerMsMax = 8_000;
const allMsMax = 20_000;
/** Enough to see whether an answer is a profile. The rest is counted, because no admission bounds the memory of tests. */
const keptBytesMax = 2048;

/** Finds the processes of a definition and pulls each profile once. Stores nothing. */
export async function testDefinition(
  ctx: Context,
  target: StoredTarget,
  resolver: Resolver = systemResolver,
): Promise<Tested> {
  const { definition } = target;
  const failed = (error: string): Tested => ({ error, instance_count: 0, instances: [] });
  if (!ctx.config.pull.isOn) return failed("This server pulls no profiles: the operator set PULL=off.");
  const headers = openHeaders(ctx.seal, target);
  if (!headers.ok) return failed(headers.message);
  const reach = openReach(ctx.config.pull);
  const client = new Client({
    reach,
    headers: headers.values,
    tls: definition.tls,
  });
  const stopped = AbortSignal.timeout(allMsMax);
  try {
    const { instances: found, problem } = await findInstances(definition, {
      client,
      resolver,
      reach,
      config: ctx.config.pull,
      stopped,
    });
    if (found.length === 0)
      return failed("No process was found. Check the name, the list or the annotations.");
    const tested = found
      .slice(0, instancesMax)
      .map((instance) => testInstance(client, target, { instance, stopped, ctx }));
    return { error: problem, instance_count: found.length, instances: await Promise.all(tested) };
  } catch (error) {
    if (error instanceof PullError) return failed(error.message);
    if (stopped.aborted) return failed(`The test did not end within ${allMsMax / 1000} s.`);
    throw error;
  } finally {
    client.close();
  }
}

interface Testing {
  readonly ctx: Context;
  readonly instance: Instance;
  readonly stopped: AbortSignal;
}

async function testInstance(
  client: Client,
  { definition }: StoredTarget,
  { ctx, instance, stopped }: Testing,
): Promise<TestedInstance> {
  const names = instance.profiles ?? definition.profiles;
  const results = await Promise.all(
    names.map(async (profile: TargetProfile) => {
      const entry = profilePaths[profile];
      const seconds = entry.isTimed ? 1 : 0;
      const { maxBytes: bytesMax } = ctx.config.ingest;
      try {
        const got = await client.get(addressOf(instance, definition, entry, seconds), {
          timeoutMs: answerMsMax,
          bytesMax,
          tooLarge,
          keptBytesMax,
          stopped,
        });
        const refusal = refusalOf(got, instance.instance, profile) ?? contentRefusal(got, instance.instance);
        return { profile, bytes: got.bytes, error: refusal ?? null };
      } catch (error) {
        if (error instanceof PullError) return { profile, bytes: 0, error: error.message };
        if (stopped.aborted)
          return { profile, bytes: 0, error: `${instance.instance} did not answer in time.` };
        throw error;
      }
    }),
  );
  return { instance: instance.instance, service: instance.service, profiles: results };
}

/** Why the content is no profile, as far as it was kept: a short one is read, of another the beginning is recognised. */
function contentRefusal({ body, bytes }: Got, instance: string): string | undefined {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  let plain: Buffer;
  try {
    plain = isGzip ? gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH }) : body;
  } catch {
    return `${instance} sent bytes that begin as gzip, and cannot be decompressed. Check the process.`;
  }
  const kind = sniff(plain);
  // An upload may be compressed so.
  if (!isGzip && (kind === "zstd" || kind === "lz4")) return undefined;
  if (readerOf(plain) === undefined && kind !== "pprof")
    return unreadable(kind) ?? `${instance} did not send a pprof profile. Check the address and the process.`;
  const read = bytes === body.length ? readProfile(plain) : undefined;
  return read?.ok === false
    ? `${instance} did not send a pprof profile, or it is damaged: ${read.error.message}`
    : undefined;
}
