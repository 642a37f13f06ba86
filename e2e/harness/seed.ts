import type { Browser } from "playwright-core";
import { openSignedIn } from "./account.ts";
import type { WatchedPage } from "./browser.ts";
import { recordedCpuProfile, recordedProfile } from "./recordings.ts";
import { sendProfile, sendRequests } from "./send.ts";
import type { Account } from "./sign-up.ts";

export interface Seeded {
  readonly service: string;
  readonly cpuId: string;
  readonly goroutineId: string;
  /** The id of a group of checkout and a service without data. */
  readonly groupId: string;
}

export interface SeededPage extends WatchedPage {
  readonly seeded: Seeded;
}

/** A page of a new person whose service checkout sent a CPU profile, a goroutine profile and four requests. One request failed. */
export async function openSeeded(browser: Browser, url: string): Promise<SeededPage> {
  const { account, ...opened } = await openSignedIn(browser, url);
  const groupId = await createGroup(url, account);
  return { ...opened, seeded: { ...(await seedCheckout(url, account.key)), groupId } };
}

async function createGroup(url: string, { headers }: Account): Promise<string> {
  const reply = await fetch(`${url}/api/v1/protected/projects`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name: "Front", services: ["checkout", "cart"] }),
  });
  return (await reply.json()).project.id;
}

async function seedCheckout(url: string, key: string): Promise<Omit<Seeded, "groupId">> {
  const service = "checkout";
  const send = async (type: string, body: Buffer) => {
    const query = `service=${service}&type=${type}&started_at=${Date.now() - 60_000}&tag.region=eu`;
    const { status, body: reply } = await sendProfile(url, key, query, body);
    if (status !== 200) throw new Error(`${type} profile answered ${status}: ${JSON.stringify(reply)}`);
    return String(reply.profile_id);
  };
  const cpuId = await send("cpu", recordedCpuProfile().body);
  const goroutineId = await send("goroutine", recordedProfile("checkout", "goroutine"));
  const requests = [200, 200, 302, 503].map((status_code, index) => ({
    timestamp: Date.now() - 60_000 - 1000 * index,
    duration: 0.02 * (index + 1),
    status_code,
    method: "GET",
    path: index === 3 ? "/orders" : "/cart",
    request_id: `r${index}`,
  }));
  const status = await sendRequests(url, key, service, requests);
  if (status !== 200) throw new Error(`HTTP metrics answered ${status}`);
  return { service, cpuId, goroutineId };
}
