/**
 * The recordings of examples/regressions, sent as the profiles of a release that made a service slow: the message of each names the
 * function, the file and the line to change.
 */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { type Profile, readProfile, writeProfile } from "@flamekeep/profile";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { runAlerts } from "./job.ts";

const folder = new URL("../../../../../examples/regressions/", import.meta.url);
const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
const releasedMs = nowMs - 2 * hourMs;
const beganMs = releasedMs - 8 * hourMs;
const everyMs = (isFullLength ? 5 : 10) * minuteMs;

interface Regression {
  readonly service: string;
  readonly id: string;
  readonly function: string;
  readonly file: string;
  readonly line: number;
}

interface Recorded {
  readonly service: string;
  readonly switches: readonly Omit<Regression, "service">[];
}

const services: readonly Recorded[] = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8"));
/** Ten at full length, otherwise one of each language. */
const regressions = services.flatMap(({ service, switches }) =>
  (isFullLength ? switches : switches.slice(0, 1)).map((each): Regression => ({ ...each, service })),
);

let server: TestApp;
let ada: Person;
let receiver: Server;
const messages: { readonly event: string; readonly title: string; readonly text: string }[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, reply) => {
    messages.push(JSON.parse(await text(request)));
    reply.writeHead(200).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const env = { ALERT_WEBHOOKS_ALLOW_PRIVATE: "on" };
  server = await startApp({ at: new Date(nowMs).toISOString(), env });
  ada = await server.signUp();
  const { port } = receiver.address() as AddressInfo;
  await server.app.inject({
    method: "PUT",
    url: "/api/v1/protected/alert-settings",
    headers: ada.headers,
    payload: { webhook_url: `http://127.0.0.1:${port}/` },
  });
  const { headers } = await server.makeKey(ada);
  for (const regression of regressions) await sendRelease(regression, headers);
  await runAlerts(server.ctx, { name: "alerts", holder: "this test", lastsMs: minuteMs });
}, 300_000);
afterAll(async () => {
  await server.close();
  receiver.close();
});

/** A function may have its cost in a line near the one that the manifest names. */
const linesOff = 3;

const nameOf = ({ service, id }: Regression) => `${service}-${id}`;

function profileOf(service: string, name: string): Profile {
  const body = readFileSync(new URL(`recorded/${service}/${name}.gz`, folder));
  const read = readProfile(new Uint8Array(gunzipSync(body)));
  if (!read.ok) throw new Error(read.error.message);
  return read.profile;
}

/** The profile of another time, with so many times its values. */
function takenAt(profile: Profile, atMs: number, factor: number): Profile {
  const values = profile.samples.values.map((column) =>
    Float64Array.from(Array.from(column, Number), (value) => Math.round(value * factor)),
  );
  return { ...profile, timeNs: BigInt(atMs) * 1_000_000n, samples: { ...profile.samples, values } };
}

/** Eight hours as before, and two with the regression. */
async function sendRelease(regression: Regression, headers: Readonly<Record<string, string>>): Promise<void> {
  const [off, on] = [profileOf(regression.service, "off"), profileOf(regression.service, regression.id)];
  const starts = Array.from({ length: (nowMs - beganMs) / everyMs }, (_, at) => beganMs + at * everyMs);
  await Promise.all(
    starts.map((atMs, at) => {
      const isReleased = atMs >= releasedMs;
      const body = gzipSync(writeProfile(takenAt(isReleased ? on : off, atMs, 1 + (at % 5) / 40)), {
        level: 1,
      });
      const query = { service: nameOf(regression), "tag.version": isReleased ? "1.8.0" : "1.7.2" };
      return server.send(body, { headers, query });
    }),
  );
}

it.each(regressions)(
  "the message about $service with $id names the function, file and line",
  (regression) => {
    const [message, ...others] = messages.filter(({ title }) => title.includes(nameOf(regression)));
    expect(others).toEqual([]);
    expect(message?.event).toBe("opened");
    const [, name, file, line] = /^Look at (\S*) \((\S+?):? ?(\d+)\)/m.exec(message?.text ?? "") ?? [];
    // Recordings of Java have classes instead of files.
    const isJava = regression.file.endsWith(".java");
    expect([name, file]).toEqual([regression.function, isJava ? "line" : basename(regression.file)]);
    expect(Math.abs(Number(line) - regression.line)).toBeLessThanOrEqual(linesOff);
    expect(message?.text).toContain("Version 1.8.0 replaced 1.7.2 at 2026-11-20 10:00 UTC.");
  },
);

it("one was sent about each", () => {
  expect(regressions).toHaveLength(isFullLength ? 10 : 3);
  expect(messages).toHaveLength(regressions.length);
});
