/** Checks of the running server, as its senders and people reach it. */
import { isIP } from "node:net";
import { connect } from "node:tls";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import { type Check, type Finding, failed, note, ok, reasonOf, request, skipped } from "./finding.ts";

const notRunning = "The server does not run. Start it, and run this command again.";
const certificateDaysMin = 14;
const connectMsMax = 10_000;

const Named = z.object({ message: z.string(), action: z.string().optional() });
const Readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string().optional() })),
  warnings: z.array(Named).default([]),
  notices: z.array(Named).default([]),
});

export const readiness: Check = {
  title: "Server",
  async run({ config, localUrl }) {
    const url = `${localUrl}/readyz`;
    const reply = await request(url).catch(() => undefined);
    if (reply === undefined) return [skipped(`${localUrl} does not answer. ${notRunning}`)];
    const plain = Readiness.safeParse(await reply.json().catch(() => undefined));
    if (!plain.success)
      return [failed(`${localUrl} is answered by another program. Stop it, or set PORT to another.`)];
    // Another program never gets the token.
    const { metricsToken } = config;
    const read = metricsToken === undefined ? plain.data : await readDetails(url, metricsToken);
    const { status, checks, warnings, notices } = read;
    const sentence = ({ message, action }: z.output<typeof Named>) =>
      action === undefined ? message : `${message} ${action}`;
    return [
      status === "ready" ? ok(`${localUrl} is ready.`) : failed(`${localUrl} is not ready.`),
      ...checks
        .filter((check) => !check.ok)
        .map(({ name, message = "failed" }) => failed(`${name}: ${message}`)),
      ...warnings.map((warning) => note(sentence(warning))),
      ...notices.map((notice) => note(sentence(notice))),
    ];
  },
};

async function readDetails(url: string, token: string): Promise<z.output<typeof Readiness>> {
  const reply = await request(url, { headers: { authorization: `Bearer ${token}` } });
  return Readiness.parse(await reply.json());
}

export const publicAddress: Check = {
  title: "Public address",
  async run({ config: { publicUrl, trustedProxies }, localUrl }) {
    const local = await request(`${localUrl}/healthz`).catch(() => undefined);
    if (local === undefined) return [skipped(notRunning)];
    const { protocol, hostname } = new URL(publicUrl);
    if (hostname === "localhost")
      return [
        note(
          `PUBLIC_URL is ${publicUrl}: links in mails and alerts work on this machine only. Set PUBLIC_URL.`,
        ),
      ];
    const findings: Finding[] = [];
    if (protocol === "https:" && trustedProxies.length === 0)
      findings.push(
        note(
          "PUBLIC_URL has https, and the server itself has no TLS, but TRUSTED_PROXIES is empty: all people share one address and its limit on failed sign-ins.",
        ),
      );
    try {
      const reply = await request(`${publicUrl}/healthz`);
      const isOurs = reply.ok && z.object({ status: z.literal("ok") }).safeParse(await reply.json()).success;
      findings.push(
        isOurs
          ? ok(`${publicUrl} leads to a server of Flamekeep.`)
          : failed(`${publicUrl}/healthz answered ${reply.status}. Correct the proxy, or PUBLIC_URL.`),
      );
      if (protocol === "https:") findings.push(await certificate(publicUrl));
    } catch (error) {
      findings.push(
        failed(
          `${publicUrl} cannot be reached from here: ${reasonOf(error)}. Correct the proxy, or PUBLIC_URL.`,
        ),
      );
    }
    return findings;
  },
};

async function certificate(url: string): Promise<Finding> {
  const { hostname, port } = new URL(url);
  const endsMs = await new Promise<number>((resolve, reject) => {
    // An IPv6 address has brackets in a URL, and no server name in TLS.
    const host = hostname.replace(/^\[|\]$/g, "");
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port: Number(port || 443), ...servername }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    })
      .setTimeout(connectMsMax, () => socket.destroy(new Error("no answer")))
      .on("error", reject);
  });
  const days = Math.floor((endsMs - Date.now()) / dayMs);
  return days < certificateDaysMin
    ? failed(`The certificate of ${hostname} ends in ${days} days. Renew it.`)
    : ok(`The certificate of ${hostname} is valid for ${days} days.`);
}

const service = "flamekeep-doctor";
const readAgainMs = 200;
const readMsMax = 15_000;

export const roundTrip: Check = {
  title: "A profile",
  async run({ keys, localUrl }) {
    if (keys.send === undefined)
      return [
        skipped("Set FLAMEKEEP_KEY to an API key, and a profile is sent; FLAMEKEEP_READ_KEY reads it back."),
      ];
    const name = `check_${crypto.randomUUID().replaceAll("-", "")}`;
    const sentMs = performance.now();
    const reply = await request(`${localUrl}/api/v1/ingest/profiles?service=${service}&type=cpu`, {
      method: "POST",
      headers: { "x-api-key": keys.send, "content-type": "text/plain" },
      body: `doctor;${name} 1000000\n`,
    });
    const text = await reply.text();
    if (!reply.ok) return [failed(`The upload got ${reply.status}: ${messageOf(text)}`)];
    const sent = ok(`Accepted as service ${service} after ${since(sentMs)} ms.`);
    if (keys.read === undefined)
      return [
        sent,
        skipped("Set FLAMEKEEP_READ_KEY to a key for coding agents, and the profile is read back."),
      ];
    return [sent, await readBack(localUrl, keys.read, name, sentMs)];
  },
};

async function readBack(localUrl: string, key: string, name: string, sentMs: number): Promise<Finding> {
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "top_functions", arguments: { service, type: "cpu", from: "15m" } },
  };
  for (;;) {
    const reply = await request(`${localUrl}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(call),
    });
    const text = await reply.text();
    if (reply.ok && text.includes(name)) return ok(`Read back after ${since(sentMs)} ms.`);
    if (!reply.ok) return failed(`Reading got ${reply.status}: ${messageOf(text)}`);
    if (since(sentMs) > readMsMax)
      return failed(
        `The profile is not in the results after ${readMsMax / 1000} s: is FLAMEKEEP_READ_KEY of the same organization?`,
      );
    await new Promise((resolve) => setTimeout(resolve, readAgainMs));
  }
}

const since = (ms: number) => Math.round(performance.now() - ms);

const Failure = z.object({ error: z.object({ message: z.string() }) });

function messageOf(text: string): string {
  try {
    return Failure.parse(JSON.parse(text)).error.message;
  } catch {
    return text.slice(0, 200);
  }
}
