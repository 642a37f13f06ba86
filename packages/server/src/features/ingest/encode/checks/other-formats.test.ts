import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, constants, deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const folder = new URL("../../../../../../profile/src/fixtures/formats/", import.meta.url);
const samples = readdirSync(folder).map((file) => ({ file, body: readFileSync(new URL(file, folder)) }));
const sentences = new Map(
  readFileSync(new URL("../formats.refusals.txt", folder), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(": not_pprof: ") as [string, string]),
);
const cpu = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1]], durationNs: 1n });
const brotli = /^Not a pprof profile: this is Brotli\. Send it compressed with gzip or zstd/;

let server: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  headers = (await server.makeKey(await server.signUp())).headers;
});
afterAll(() => server.close());

const send = (url: string, payload: Buffer, contentType = "application/octet-stream") =>
  server.app.inject({ method: "POST", url, payload, headers: { ...headers, "content-type": contentType } });
const sendProfile = (payload: Buffer) => send("/api/v1/ingest/profiles?service=s", payload);

describe("the refusal of another format names it and the format to send instead", () => {
  test("as it is and gzipped", async () => {
    expect(samples.length).toBeGreaterThan(35);
    for (const { file, body } of samples) {
      for (const payload of [body, gzipSync(body)]) {
        const reply = await sendProfile(payload);
        expect([file, reply.statusCode, reply.json().error]).toEqual([file, 400, sentences.get(file)]);
      }
    }
  });

  test.each([
    ["of a profile", brotliCompressSync(cpu)],
    ["of a gzipped profile", brotliCompressSync(gzipSync(cpu))],
    ["at its fastest", brotliCompressSync(cpu, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } })],
    ["of text that is larger than what is looked at", brotliCompressSync(Buffer.alloc(5_000_000, "a b\n"))],
  ])("Brotli %s", async (_, payload) => {
    const reply = await sendProfile(payload);
    expect([reply.statusCode, reply.json().error]).toEqual([400, expect.stringMatching(brotli)]);
  });

  test("but unrecognised bytes are not called Brotli", async () => {
    const noise = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919 + (i >> 3)) & 0xff));
    for (const payload of [
      noise,
      Buffer.from([0xff, 0, 1, 2]),
      deflateRawSync(cpu),
      brotliCompressSync(noise),
    ]) {
      const { error } = (await sendProfile(payload)).json();
      expect(error).not.toMatch(/Brotli/);
      expect(error).toMatch(/unchanged\.$/);
    }
  });
});

describe("Pyroscope's endpoint names them too", () => {
  const form = (part: string, body: Buffer) =>
    Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${part}"; filename="x"\r\n\r\n`),
      body,
      Buffer.from("\r\n--b--\r\n"),
    ]);
  const bodyOf = (file: string) => samples.find((sample) => sample.file === file)!.body;
  const multipart = "multipart/form-data; boundary=b";

  test.each([
    [
      "a body without format",
      "/ingest?name=a",
      bodyOf("jfr.jfr"),
      422,
      /Java Flight Recorder file\. JFR is not read yet/,
    ],
    ["format=jfr", "/ingest?name=a&format=jfr", bodyOf("jfr.jfr"), 422, /Java Flight Recorder/],
    ["format=speedscope", "/ingest?name=a&format=speedscope", bodyOf("speedscope.json"), 422, /speedscope/],
    ["the part jfr", "/ingest?name=a", form("jfr", bodyOf("jfr.jfr")), 422, /Java Flight Recorder/],
    ["the part profile", "/ingest?name=a", form("profile", bodyOf("cpuprofile.cpuprofile")), 400, /V8/],
    ["format=pprof", "/ingest?name=a&format=pprof", bodyOf("otlp.pb"), 400, /OTLP is not read yet/],
  ])("%s", async (_, url, payload, status, words) => {
    const isForm = payload.subarray(0, 3).toString() === "--b";
    const reply = await send(url, payload, isForm ? multipart : undefined);
    expect([reply.statusCode, reply.json().message]).toEqual([status, expect.stringMatching(words)]);
    expect(reply.json().message).not.toContain("/debug/pprof");
  });
});
