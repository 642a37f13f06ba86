import { type Endpoint, endpoints, toPath } from "@flamekeep/contract";
import type { Account } from "@flamekeep/e2e/sign-up";
import {
  formType,
  type HostileBody,
  hostileContainers,
  hostileForm,
  hostileJson,
  hostileProfiles,
  sentAs,
} from "@flamekeep/server/testing/hostile-bodies";

const MiB = 1024 * 1024;
/** The limits of a server without settings. */
const limits = { json: 64 * 1024, upload: 16 * MiB, metrics: 16 * MiB, profile: 128 * MiB };

export interface HostileRequest {
  readonly what: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Small requests of each kind, so that what is loaded at the first of them is not counted. */
export async function warmUp(url: string, account: Account): Promise<void> {
  const bodies: [HostileBody, string][] = [
    ...hostileJson(1000, new Date()).map((body): [HostileBody, string] => [body, "application/json"]),
    ...sentAs(hostileProfiles(1000), 1000).map((body): [HostileBody, string] => [
      body,
      "application/octet-stream",
    ]),
  ];
  for (const call of endpoints.filter(({ upload }) => upload !== undefined)) {
    for (const [hostile, type] of bodies) {
      const { path, method, headers, body } = requestTo(call, hostile, type, account);
      await (await fetch(url + path, { method, headers, body: new Uint8Array(body) })).arrayBuffer();
    }
  }
}

/** Made one after the other: all bodies together are gigabytes. */
export function* hostileRequests(account: Account): Generator<HostileRequest> {
  const calls = endpoints.filter(({ method }) => method !== "GET");
  for (const call of calls.filter(({ upload }) => upload === undefined)) {
    const small = hostileJson(limits.json - 64, new Date());
    const large = hostileJson(limits.upload, new Date()).slice(0, 1);
    for (const body of [...small, ...large]) yield requestTo(call, body, "application/json", account);
  }
  const uploads = calls.filter(({ upload }) => upload !== undefined);
  for (const [body, type] of uploadBodies()) {
    for (const call of uploads) yield requestTo(call, body, type, account);
  }
}

function* uploadBodies(): Generator<[HostileBody, string]> {
  const at = new Date();
  for (const body of sentAs(hostileJson(limits.metrics - 64, at), limits.upload))
    yield [body, "application/json"];
  for (const body of sentAs(hostileJson(limits.metrics + MiB, at).slice(0, 2), 0))
    yield [body, "application/json"];
  for (const { name, bytes } of hostileJson(limits.upload - MiB, at)) {
    yield [{ name: `form with ${name}`, bytes: hostileForm(bytes) }, formType];
  }
  for (const profile of hostileProfiles(limits.upload - 64)) yield [profile, "application/octet-stream"];
  for (const profile of hostileProfiles(limits.profile - 64)) {
    for (const body of sentAs([profile], 0)) yield [body, "application/octet-stream"];
  }
  for (const body of hostileContainers(512 * MiB)) yield [body, "application/octet-stream"];
}

function requestTo(
  call: Endpoint,
  { name, bytes }: HostileBody,
  type: string,
  account: Account,
): HostileRequest {
  const query = call.upload === undefined ? {} : { service: "hostile", name: "hostile" };
  const format: Record<string, string> = type === formType ? {} : { format: "pprof" };
  const credentials = { none: {}, session: account.headers, key: { "x-api-key": account.key } }[call.auth];
  return {
    what: `${call.method} ${call.path}: ${name}`,
    method: call.method,
    path: toPath(
      call,
      { id: "nothing", service: "hostile" },
      call.upload === undefined ? {} : { ...query, ...format },
    ),
    headers: { ...credentials, "content-type": type },
    body: bytes,
  };
}
