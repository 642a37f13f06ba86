import { readFileSync } from "node:fs";
import type { MessageName } from "@flamekeep/contract/schemas";
import { foldStacks, readProfile, sumStacks } from "@flamekeep/profile";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { readMessage, writeMessage } from "./wire/codec.ts";

interface RecordedCall {
  readonly command: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64, as the reply. */
  readonly request: string;
  readonly status: number;
  readonly type: string;
  readonly reply: string;
}

interface Recording {
  readonly start: number;
  readonly end: number;
  readonly uploads: readonly {
    file: string;
    type: string;
    service: string;
    region: string;
    offsetMs: number;
  }[];
  readonly calls: readonly RecordedCall[];
}

/** Requests of the real client and the replies of this server, recorded between the two. */
const recording = JSON.parse(
  readFileSync(new URL("fixtures/profilecli.json", import.meta.url), "utf8"),
) as Recording;
const replies: Readonly<Record<string, MessageName>> = {
  Series: "SeriesResponse",
  LabelNames: "LabelNamesResponse",
  LabelValues: "LabelValuesResponse",
  SelectSeries: "SelectSeriesResponse",
  SelectMergeStacktraces: "SelectMergeStacktracesResponse",
  SelectMergeProfile: "Profile",
  SelectHeatmap: "SelectHeatmapResponse",
};

let server: TestApp;
let key: TestKey;
beforeAll(async () => {
  server = await startApp({ at: new Date(recording.end + 3_000_000).toISOString() });
  const person = await server.signUp();
  const { headers } = await server.makeKey(person, "sender");
  key = await server.makeKey(person, "profilecli", "read");
  const folder = new URL("../../../../profile/src/fixtures/", import.meta.url);
  for (const { file, type, service, region, offsetMs } of recording.uploads) {
    const query = { service, type, "tag.region": region, started_at: String(recording.start + offsetMs) };
    await server.send(readFileSync(new URL(file, folder)), { headers, query });
  }
});
afterAll(() => server.close());

/** Stacks in any order: the store has none. */
function comparable(name: MessageName, bytes: Buffer): unknown {
  const message = readMessage(name, bytes, false) as { pprof?: { profile?: object } };
  if (message.pprof === undefined) return JSON.parse(textOf(name, message));
  const profile = Buffer.from(writeMessage("Profile", message.pprof.profile as never, false));
  const read = readProfile(profile);
  if (!read.ok) throw new Error(read.error.message);
  return [
    read.profile.periodType,
    read.profile.durationNs,
    foldStacks(sumStacks(read.profile), 0).split("\n").sort(),
  ];
}

function textOf(name: MessageName, message: object): string {
  return Buffer.from(writeMessage(name, message as never, true)).toString();
}

test("a recording has every kind of query of profilecli", () => {
  expect(recording.calls.length).toBeGreaterThanOrEqual(20);
  expect(new Set(recording.calls.map(({ command }) => command.split(" ", 3)[2])).size).toBeGreaterThanOrEqual(
    6,
  );
});

test.each(recording.calls.map((call, at) => [`${at + 1} ${call.command}`, call] as const))(
  "%s gets the recorded reply",
  async (_, { path, headers, request, status, type, reply }) => {
    const sent = await server.app.inject({
      method: "POST",
      url: path,
      headers: { ...headers, authorization: `Basic ${Buffer.from(`any:${key.key}`).toString("base64")}` },
      payload: Buffer.from(request, "base64"),
    });
    expect([sent.statusCode, sent.headers["content-type"]]).toEqual([status, type]);
    const recorded = Buffer.from(reply, "base64");
    if (status !== 200) {
      const { request_id: _id, ...failure } = JSON.parse(recorded.toString()) as { request_id: string };
      expect(sent.json()).toMatchObject(failure);
      return;
    }
    const name = replies[path.split("/").at(-1)!]!;
    expect(comparable(name, sent.rawPayload)).toEqual(comparable(name, recorded));
  },
);
