import type { ReplyOf, TargetProfile, TestedInstance, testTarget } from "@flamekeep/contract";
import type { Context } from "#context";
import { Client, PullError } from "./client.ts";
import { type Resolver, systemResolver } from "./discovery/dns.ts";
import { findInstances } from "./discovery/find-instances.ts";
import type { Instance } from "./discovery/instance.ts";
import { profilePaths } from "./profile-paths.ts";
import type { StoredTarget } from "./queries.ts";
import { openReach } from "./reach.ts";
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
  const client = new Client({
    reach: openReach(ctx.config.pull),
    headers: headers.values,
    tls: definition.tls,
  });
  const stopped = AbortSignal.timeout(allMsMax);
  try {
    const { instances: found, problem } = await findInstances(definition, {
      client,
      resolver,
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
        return { profile, bytes: got.bytes, error: refusalOf(got, instance.instance, profile) ?? null };
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
