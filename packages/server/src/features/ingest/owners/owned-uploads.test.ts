import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { otlpOf } from "@flamekeep/profile/testing";
import { expect, test } from "vitest";
import type { Cluster } from "#cluster/cluster.ts";
import type { Member } from "#cluster/heartbeats.ts";
import { NotOwner, Unreached } from "#cluster/message.ts";
import { smallScope } from "#ingest/testing/commit-items.ts";
import { metricsOf } from "#ingest/testing/metrics-of.ts";
import { pushJson, pushMessage, writeRawMessage } from "#ingest/testing/push-request.ts";
import { tracesOf } from "#ingest/testing/traces-of.ts";
import type { Arrival } from "#ingest/threads/arrival.ts";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import type { RecordedUpload } from "#ingest/upload/recorded-upload.ts";
import { OwnedUploads } from "./owned-uploads.ts";

const orgId = randomUUID();
const member = (id: string): Member => ({ id, address: `${id}:4041`, version: "1" });
const [self, other] = [member("self"), member("other")];
const unanswered = () => undefined;
const unused = () => Promise.reject(new Error("nothing is stored here"));

/** Uploads of a server among members that the test decides. */
function ownedUploads(parts: Partial<Cluster>): OwnedUploads {
  const cluster = {
    self,
    isOwner: true,
    term: 1,
    answer: unanswered,
    answerUnread: unanswered,
    ...parts,
  } as Cluster;
  return new OwnedUploads(cluster, {
    take: unused,
    takeUpload: unused,
    takePoints: unused,
    admit: unused,
    forget: () => undefined,
    log: { warn: () => undefined },
    committer: { settle: unused, written: unused, runBetweenRows: unused, isOccupied: false },
  });
}

test("an upload in the log waits until the lease lasts for an insert", async () => {
  let [isCurrent, looks, made] = [false, 0, 0];
  const change = async () => {
    expect(made).toBe(0);
    isCurrent = ++looks === 3;
  };
  const owners = ownedUploads({ ownerOf: () => self, isCurrent: () => isCurrent, change });
  const recorded = { kind: "profile", service: "s" } as RecordedUpload;
  const upload = { orgId, recorded, bytes: async () => new Uint8Array() };
  const here = async () => ++made;
  expect(await owners.repeat(upload, here, new AbortController().signal)).toBe(1);
  expect(looks).toBe(3);
});

test("an upload that its owner may have taken is stored nowhere else", async () => {
  const taken = new Unreached("other:4041 cannot be reached", { mayHaveArrived: true });
  const call = () => Promise.reject(taken);
  const owners = ownedUploads({ ownerOf: () => other, calls: { call } as unknown as Cluster["calls"] });
  const query = { service: "s" };
  const arrival = { format: "profile", query, orgId, body: new Uint8Array() } as unknown as Arrival;
  await expect(owners.take(arrival)).rejects.toThrow("Another server of this installation did not answer");
});

const labelled = (service_name: string) => ({
  labels: { __name__: "process_cpu", service_name },
  profiles: [Buffer.from("not read here")],
});
const form = [
  '--b\r\nContent-Disposition: form-data; name="event"; filename="event.json"\r\n\r\n',
  JSON.stringify({
    start: "2026-11-20T12:00:00Z",
    end: "2026-11-20T12:01:00Z",
    tags_profiler: "service:there",
  }),
  '\r\n--b\r\nContent-Disposition: form-data; name="cpu"; filename="cpu.pprof"\r\n\r\nnot read here\r\n--b--\r\n',
].join("");

const protobuf = "application/x-protobuf";
const otlp = (...services: readonly string[]) =>
  otlpOf(services.map((name) => ({ attributes: { "service.name": name }, profiles: [] })));
const metrics = (...services: readonly string[]) =>
  metricsOf(services.map((service) => ({ service, timeMs: 0, counts: [1, 0, 0] })));

test.each([
  ["push", "application/proto", pushMessage([labelled("there"), labelled("there too")]), "passed on"],
  ["push", "application/proto", pushMessage([labelled("there"), labelled("here")]), "read here"],
  ["push", "application/proto", gzipSync(pushMessage([labelled("there")])), "read here"],
  ["push", "application/json", Buffer.from(JSON.stringify(pushJson([labelled("there")]))), "read here"],
  ["parca", "application/proto", writeRawMessage([labelled("there")]), "passed on"],
  ["otlp", protobuf, otlp("there", "there too"), "passed on"],
  ["otlp", protobuf, otlp("there", "here"), "read here"],
  ["otlp", protobuf, otlp("there", ""), "read here"],
  ["otlp", protobuf, gzipSync(otlp("there", "there too")), "passed on"],
  ["otlp", protobuf, gzipSync(otlp("there", "here")), "read here"],
  ["otlp", protobuf, otlp("there", "there too").subarray(0, -1), "read here"],
  ["otlp_metrics", protobuf, metrics("there"), "passed on"],
  ["otlp_metrics", "application/json", metrics("there"), "read here"],
  ["otlp_traces", protobuf, tracesOf([{ attributes: { "service.name": "there" }, spans: [] }]), "passed on"],
  ["datadog", "multipart/form-data; boundary=b", Buffer.from(form), "passed on"],
  ["datadog", "multipart/form-data; boundary=c", Buffer.from(form), "read here"],
] as const)(
  "a message of %s as %s is read where its services have one owner",
  async (format, contentType, body, expected) => {
    const calls: string[] = [];
    const owners = ownedUploads({
      ownerOf: ({ service }) => (service.startsWith("there") ? other : self),
      calls: {
        call: async (_to: Member, name: string) => {
          calls.push(name);
          return { head: { stored: [] }, bytes: new Uint8Array() };
        },
      } as unknown as Cluster["calls"],
    });
    const arrival = { format, contentType, query: {}, orgId, body } as unknown as Arrival;
    const isPassedOn = await owners.take(arrival).then(
      () => true,
      (error: Error) => error.message !== "nothing is stored here",
    );
    expect([isPassedOn, calls]).toEqual(expected === "passed on" ? [true, ["request"]] : [false, []]);
  },
);

test("points of several services go on when their owner shares them with another server", async () => {
  let owner = (_service: string) => other;
  const stored: string[] = [];
  const owners = ownedUploads({
    ownerOf: ({ service }) => owner(service),
    change: async () => undefined,
    calls: {
      call: async () => {
        if (stored.includes("a")) return { head: { stored: [] }, bytes: new Uint8Array() };
        owner = (service) => (service === "a" ? self : other);
        throw new NotOwner();
      },
    } as unknown as Cluster["calls"],
  });
  const points = ["a", "b"].map((service) => ({ service }) as HistogramPoint);
  const here = async (some: readonly HistogramPoint[]) => {
    stored.push(...some.map(({ service }) => service));
    return { stored: [] };
  };
  const sender = { orgId, orgRetentionDays: null, ownLimits: undefined };
  const replies = await owners.storePoints(points, { scope: smallScope(orgId, 0), sender }, here);
  expect(replies).toHaveLength(2);
  expect(stored).toEqual(["a"]);
});
