import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller } from "./call.ts";
import type { Heartbeat } from "./heartbeats.ts";
import { listenAt, listenForCalls, type Operation, pathPrefix, portOf } from "./listen.ts";
import { isGone, Members } from "./members.ts";
import { NotOwner, Unreached } from "./message.ts";
import { ownerAmong } from "./owner.ts";
import { clockMsMax, digestInSteps, digestOf, type SignedCall, signedHeaders } from "./signature.ts";

const memberNamed = (id: string, address = `10.0.0.1:${id.length}`) => ({ id, address, version: "1" });
const beatOf = (id: string, seenAt: string, address?: string): Heartbeat => ({
  ...memberNamed(id, address),
  seenAt,
  isJoined: true,
});

describe("the owner of a service", () => {
  const scopes = Array.from({ length: 1000 }, (_, i) => ({ orgId: "o", service: `s${i}` }));
  const three = ["a", "b", "c"].map((id) => memberNamed(id)) as [Heartbeat, ...Heartbeat[]];

  test("is the same for every order of the members, and each member owns a share", () => {
    const owners = scopes.map((scope) => ownerAmong(three, scope).id);
    const reversed = three.toReversed() as typeof three;
    expect(scopes.map((scope) => ownerAmong(reversed, scope).id)).toEqual(owners);
    for (const id of ["a", "b", "c"])
      expect(owners.filter((each) => each === id).length).toBeGreaterThan(250);
  });

  test("stays the same when another member goes", () => {
    const [a, b, c] = three as unknown as [Heartbeat, Heartbeat, Heartbeat];
    const moved = scopes.filter((scope) => ownerAmong([a, b, c], scope) !== ownerAmong([a, b], scope));
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.every((scope) => ownerAmong([a, b, c], scope) === c)).toBe(true);
  });
});

describe("a member", () => {
  const opened = () => new Members(memberNamed("host-self", "10.0.0.9:4041"), 1000);

  test("is dead once its heartbeat was the same for long enough, by the clock of the reader", () => {
    const members = opened();
    members.update([beatOf("other-1", "1")], 0);
    expect(members.update([beatOf("other-1", "2")], 900)).toEqual([]);
    expect(members.update([beatOf("other-1", "2")], 1899)).toEqual([]);
    expect(members.has("other-1")).toBe(true);
    expect(members.update([beatOf("other-1", "2")], 1900).map(({ id }) => id)).toEqual(["other-1"]);
    expect(members.has("other-1")).toBe(false);
  });

  test("that is dead is none while its row stays, which is to be removed again later, and is one with its next heartbeat", () => {
    const members = opened();
    const read = (seenAt: string, nowMs: number) =>
      members.update([beatOf("other-1", seenAt)], nowMs).map(({ id }) => id);
    read("1", 0);
    expect(read("1", 1000)).toEqual(["other-1"]);
    expect([read("1", 1200), members.has("other-1")]).toEqual([[], false]);
    read("1", 2000);
    expect(read("1", 3000)).toEqual(["other-1"]);
    expect([read("2", 3200), members.has("other-1")]).toEqual([[], true]);
  });

  test("is not dead because nobody could write heartbeats", () => {
    const members = opened();
    members.update([beatOf("other-1", "1")], 0);
    members.noteOutage(5000);
    expect(members.update([beatOf("other-1", "1")], 5900)).toEqual([]);
    expect(members.update([beatOf("other-1", "1")], 6000)).toHaveLength(1);
  });

  test("is not dead before the time that it was promised", () => {
    const members = opened();
    members.update([beatOf("other-1", "1")], 0);
    members.promise("other-1", 700);
    expect(members.update([beatOf("other-1", "1")], 1600)).toEqual([]);
    expect(members.update([beatOf("other-1", "1")], 1700)).toHaveLength(1);
  });

  test("is dead if this process has its port, and not if a machine of another name has the same address", () => {
    const members = opened();
    const rows = [beatOf("host-2", "1", "10.0.0.9:4041"), beatOf("elsewhere-3", "1", "10.0.0.9:4041")];
    expect(members.update(rows, 0).map(({ id }) => id)).toEqual(["host-2"]);
    expect(members.others.map(({ id }) => id)).toEqual(["elsewhere-3"]);
  });

  test("is gone if its address refuses connections and is one of this machine", () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const self = memberNamed("host-self");
    expect(isGone(memberNamed("host-2", "127.0.0.1:1"), self, refused)).toBe(true);
    expect(isGone(memberNamed("elsewhere-2", "127.0.0.1:1"), self, refused)).toBe(false);
    expect(isGone(memberNamed("host-2", "203.0.113.9:1"), self, refused)).toBe(false);
    expect(isGone(memberNamed("host-2", "127.0.0.1:1"), self, new Error("timeout"))).toBe(false);
  });
});

describe("a call", () => {
  const keys = [new Uint8Array(32).fill(1)] as const;
  const operations = new Map<string, Operation>([
    ["echo", async ({ read }) => read()],
    ["refuse", async () => Promise.reject(new NotOwner())],
    ["length", async ({ length, orgId }) => ({ head: { length, orgId } })],
    ["hang", () => hanging()],
    ["promise", async () => ({ head: true })],
  ]);
  let hanging: () => Promise<undefined>;
  let server: Awaited<ReturnType<typeof listenForCalls>>;
  let address: string;
  beforeAll(async () => {
    const listening = { id: "to", keys, operations, bytesMax: 1000, onError: () => undefined };
    server = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    address = `127.0.0.1:${portOf(server)}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const signal = AbortSignal.timeout(20_000);
  const call = (caller: Caller, name: string, bytes = new Uint8Array()) =>
    caller.call({ head: { text: "é" }, bytes }, { name, to: memberNamed("to", address), signal });

  test("is answered, and throws what the operation throws", async () => {
    const caller = new Caller("from", keys);
    const reply = await call(caller, "echo", new Uint8Array([1, 2]));
    expect(reply).toEqual({ head: { text: "é" }, bytes: new Uint8Array([1, 2]) });
    await expect(call(caller, "refuse")).rejects.toThrow(NotOwner);
    await expect(call(caller, "unknown")).rejects.toThrow("404");
    await expect(call(caller, "echo", new Uint8Array(2000))).rejects.toThrow("413");
    caller.close();
  });

  test("carries bytes of many packets there and back, and the sender's stay as they are", async () => {
    const listening = { id: "to", keys, operations, bytesMax: 1_000_000, onError: () => undefined };
    await using large = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    const caller = new Caller("from", keys);
    const bytes = new Uint8Array(700_000).map((_, at) => at % 251);
    const to = memberNamed("to", `127.0.0.1:${portOf(large)}`);
    const calls = [1, 2, 3].map(() => caller.call({ head: null, bytes }, { name: "echo", to, signal }));
    for (const reply of await Promise.all(calls)) expect(Buffer.compare(reply.bytes, bytes)).toBe(0);
    caller.close();
  });

  test("has the digest of its whole body, and other work goes on meanwhile", async () => {
    const [head, bytes] = [Buffer.from("head"), new Uint8Array(5_000_000).map((_, at) => at % 251)];
    let turns = 0;
    let immediate = setImmediate(function count() {
      turns++;
      immediate = setImmediate(count);
    });
    const digest = await digestInSteps(head, bytes);
    clearImmediate(immediate);
    expect(digest).toBe(digestOf(head, bytes));
    expect(turns).toBeGreaterThan(2);
  });

  test("whose reply is larger than any reply of a member ends, and its sender is disconnected", async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const closed = Promise.withResolvers<void>();
    const stranger = createServer((_request, response) => {
      response.on("drain", () => response.write(chunk)).once("close", closed.resolve);
      response.write(chunk);
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const caller = new Caller("from", keys);
    const to = memberNamed("to", `127.0.0.1:${portOf(stranger)}`);
    const called = caller.call({ head: null }, { name: "echo", to, signal });
    await expect(called).rejects.toThrow("cannot be read");
    await closed.promise;
    caller.close();
    stranger.close();
  });

  test("whose reply cannot be encoded is logged", async () => {
    const errors: unknown[] = [];
    const broken = new Map<string, Operation>([["count", async () => ({ head: 1n })]]);
    const onError = (error: unknown) => void errors.push(error);
    const listening = { id: "to", keys, operations: broken, bytesMax: 1000, onError };
    await using there = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    const to = memberNamed("to", `127.0.0.1:${portOf(there)}`);
    const caller = new Caller("from", keys);
    await expect(caller.call({ head: null }, { name: "count", to, signal })).rejects.toThrow();
    expect(String(errors[0])).toContain("BigInt");
    caller.close();
  });

  test("finds a free port, and a setting that cannot be used is named", async () => {
    const listening = { id: "to", keys, operations, bytesMax: 1000, onError: () => undefined };
    const both = [await listenAt(listening, { host: "127.0.0.1", port: "auto" })];
    both.push(await listenAt(listening, { host: "127.0.0.1", port: "auto" }));
    const [first, second] = both.map(portOf);
    expect(first).not.toBe(second);
    await expect(listenAt(listening, { host: "127.0.0.1", port: second! })).rejects.toThrow("CLUSTER_PORT=");
    await expect(listenAt(listening, { host: "203.0.113.7", port: "auto" })).rejects.toThrow(
      "CLUSTER_ADDRESS=203.0.113.7",
    );
    for (const each of both) each.close();
  });

  test("is accepted with the key before the present one", async () => {
    const rotated = new Caller("from", [new Uint8Array(32).fill(2), keys[0]]);
    expect((await call(rotated, "echo")).head).toEqual({ text: "é" });
    rotated.close();
  });

  test("is refused without the key, for another member, from another time, and with another body", async () => {
    const stranger = new Caller("from", [new Uint8Array(32).fill(2)]);
    await expect(call(stranger, "echo")).rejects.toThrow("401");
    stranger.close();
    const right = { ...callOf("echo"), nonce: "1" };
    const signed = (changes: Partial<SignedCall>) => signedHeaders(keys, { ...right, ...changes });
    const statuses = [
      await raw("echo", signed({ to: "another" })),
      await raw("echo", signed({ name: "refuse" })),
      await raw("echo", { ...signed({}), "x-flamekeep-signature": "" }),
      await raw("echo", { ...signed({}), "x-flamekeep-org": "another" }),
      await raw("echo", signed({}), "123456"),
      await raw("echo", signed({ atMs: right.atMs - 2 * clockMsMax })),
      await raw("echo", signed({ nonce: "2" })),
    ];
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 200]);
  });

  test("that was recorded is refused when it is sent again", async () => {
    const headers = signedHeaders(keys, { ...callOf("echo"), nonce: "recorded" });
    expect([await raw("echo", headers), await raw("echo", headers)]).toEqual([200, 401]);
    const another = signedHeaders(keys, { ...callOf("echo"), nonce: "another" });
    expect(await raw("echo", another)).toBe(200);
  });

  test("that a member took before it was killed counts as one that may have arrived", async () => {
    let dying: typeof server | undefined;
    const taken = new Map(operations).set("die", async () => {
      dying?.close();
      dying?.closeAllConnections();
      return undefined;
    });
    const listening = { id: "to", keys, operations: taken, bytesMax: 1000, onError: () => undefined };
    dying = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    const to = memberNamed("to", `127.0.0.1:${portOf(dying)}`);
    const caller = new Caller("from", keys);
    const send = (name: string) =>
      caller.call({ head: null }, { name, to, signal }).catch((error: unknown) => error);
    await send("length");
    const ended = await send("die");
    expect(ended).toBeInstanceOf(Unreached);
    expect(ended).toMatchObject({ mayHaveArrived: true, cause: { code: "ECONNREFUSED" } });
    expect(await send("length")).toMatchObject({ name: "Unreached", mayHaveArrived: false });
    caller.close();
  });

  test("of uploads is refused with 503 where too many of a minute are noted, and heartbeats are not", async () => {
    const listening = { id: "to", keys, operations, bytesMax: 1000, seenMax: 2, onError: () => undefined };
    await using full = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    const to = memberNamed("to", `127.0.0.1:${portOf(full)}`);
    const caller = new Caller("from", keys);
    const send = (name: string) => caller.call({ head: null }, { name, to, signal });
    // A minute may end between them.
    const sent = await Promise.allSettled([1, 2, 3, 4, 5].map(() => send("length")));
    const failed = sent.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect(failed.length).toBeGreaterThan(0);
    for (const reason of failed) expect(reason).toContain("takes no more calls of this minute");
    expect((await send("promise")).head).toBe(true);
    caller.close();
  });

  test("has its length and its organization before its body is read", async () => {
    const headers = signedHeaders(keys, { ...callOf("length"), nonce: "unread", length: 900 });
    // One byte of the body.
    const answered = await new Promise<string>((resolve, reject) => {
      const sent = request(`http://${address}${pathPrefix}length`, { method: "POST", headers });
      sent.once("response", (reply) => reply.once("data", (data: Buffer) => resolve(data.toString())));
      sent.once("error", reject);
      sent.write("x");
    });
    expect(answered).toContain('{"length":900,"orgId":"o"}');
  });

  test("does not wait for connections that uploads use", async () => {
    const [ended, all] = [Promise.withResolvers<undefined>(), 300];
    let running = 0;
    hanging = () => {
      running++;
      return ended.promise;
    };
    const caller = new Caller("from", keys);
    const calls = Array.from({ length: all }, () => call(caller, "hang"));
    await expect.poll(() => running).toBeGreaterThan(200);
    expect((await call(caller, "promise")).head).toBe(true);
    const atOnce = running;
    ended.resolve(undefined);
    await Promise.all(calls);
    expect([atOnce, running]).toEqual([256, all]);
    caller.close();
  });

  test("that never comes ends its connection", async () => {
    const listening = { id: "to", keys, operations, bytesMax: 1000, onError: () => undefined };
    const fresh = await listenForCalls(listening, { host: "127.0.0.1", port: 0 });
    const socket = connect(portOf(fresh), "127.0.0.1");
    await once(socket, "connect");
    await once(socket.resume(), "close");
    expect(socket.destroyed).toBe(true);
    fresh.close();
  }, 20_000);

  const body = Buffer.from([2, 0, 0, 0, 123, 125]);

  function callOf(name: string): SignedCall {
    const { length } = body;
    const [atMs, digest] = [Date.now(), digestOf(body)];
    return { name, from: "from", to: "to", orgId: "o", atMs, nonce: "", length, digest };
  }

  function raw(
    name: string,
    headers: Readonly<Record<string, string>>,
    sentBody: Buffer | string = body,
  ): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request(`http://${address}${pathPrefix}${name}`, {
        method: "POST",
        headers: { ...headers, "content-length": sentBody.length },
      });
      sent.once("response", (reply) => resolve(reply.resume().statusCode));
      sent.once("error", reject);
      sent.end(sentBody);
    });
  }
});
