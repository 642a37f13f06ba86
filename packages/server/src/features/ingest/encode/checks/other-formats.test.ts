import { readdirSync, readFileSync } from "node:fs";
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const folder = new URL("../../../../../../profile/src/fixtures/formats/", import.meta.url);
const samples = readdirSync(folder).map((file) => ({ file, body: readFileSync(new URL(file, folder)) }));
const sentences = new Map(
  readFileSync(new URL("../formats.refusals.txt", folder), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(": not_pprof: ") as [string, string]),
);
const cpu = pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main", 1]], durationNs: 1n });
const brotli = /^Not a pprof profile: this is Brotli\. Send it compressed with gzip, zstd or LZ4/;

let server: TestApp;
let person: Person;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  headers = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

const send = (url: string, payload: Buffer, contentType = "application/octet-stream") =>
  server.app.inject({ method: "POST", url, payload, headers: { ...headers, "content-type": contentType } });
const sendProfile = (payload: Buffer) => send("/api/v1/ingest/profiles?service=s", payload);

describe("the refusal of another format names it and the format to send instead", () => {
  test("as it is and gzipped", async () => {
    const refused = samples.filter(({ file }) => sentences.has(file) && !file.startsWith("lz4."));
    expect(refused.length).toBeGreaterThan(20);
    for (const { file, body } of refused) {
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

describe("formats that are read", () => {
  const text = (name: string) => gunzipSync(readFileSync(new URL(`../text/${name}.txt.gz`, folder)));
  const shown = async (id: string) => {
    const read = (path: string) =>
      server.app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers });
    const [profile, graph, file] = await Promise.all(
      [`profile/${id}`, `flamegraph/${id}`, `profile/${id}/download`].map(read),
    );
    return { profile: profile!.json(), graph: graph!.json(), file: file! };
  };

  test.each([
    ["plain", (body: Buffer) => body, /^attachment; filename="cpu-[0-9a-f]{12}\.txt"$/],
    ["gzipped", (body: Buffer) => gzipSync(body), /^attachment; filename="cpu-[0-9a-f]{12}\.txt\.gz"$/],
  ])("collapsed stacks, %s", async (name, packed, disposition) => {
    const payload = packed(Buffer.from("main;handle (app/a.py:3) 7\nmain;gc 3\n"));
    const reply = await send(`/api/v1/ingest/profiles?service=texts-${name}&type=cpu`, payload);
    expect([reply.statusCode, reply.json().notice]).toEqual([200, expect.stringContaining("CPU time")]);
    const { profile, graph, file } = await shown(reply.json().profile_id);
    expect(profile).toMatchObject({ type: "cpu", sample_types: [{ type: "samples", total: 10 }] });
    expect(graph).toMatchObject({ total_samples: 10, root: { total_value: 10 } });
    expect(file.rawPayload.equals(payload)).toBe(true);
    expect(file.headers["content-disposition"]).toMatch(disposition);
  });

  test.each(["heap", "goroutine"])("Go's %s as text, whose type follows from it", async (name) => {
    const reply = await send("/api/v1/ingest/profiles?service=texts", text(name));
    expect(reply.statusCode).toBe(200);
    const { profile, graph } = await shown(reply.json().profile_id);
    expect(profile.type).toBe(name === "heap" ? "memory" : "goroutine");
    expect(JSON.stringify(graph)).toContain("main.park");
  });

  test.each([
    ["work.cpuprofile", "cpu", "cpu/nanoseconds", /cpu-[0-9a-f]{12}\.cpuprofile"$/],
    ["work.heapprofile", "memory", "inuse_space/bytes", /memory-[0-9a-f]{12}\.heapprofile"$/],
    ["page.trace.json", "cpu", "cpu/nanoseconds", /cpu-[0-9a-f]{12}\.json"$/],
  ])("JSON of V8: %s", async (name, type, sampleType, disposition) => {
    const payload = gunzipSync(readFileSync(new URL(`../json/${name}.gz`, folder)));
    const reply = await send("/api/v1/ingest/profiles?service=json", payload, "application/json");
    expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ type, trimmed: {} })]);
    const { profile, graph, file } = await shown(reply.json().profile_id);
    const { total, unit } = profile.sample_types.at(-1);
    expect([`${profile.sample_types.at(-1).type}/${unit}`, total]).toEqual([
      sampleType,
      graph.root.total_value,
    ]);
    expect(file.rawPayload.equals(payload)).toBe(true);
    expect(file.headers["content-disposition"]).toMatch(disposition);
  });

  test.each([
    ["speedscope", "&format=speedscope"],
    ["speedscope without its format", ""],
  ])("Pyroscope's endpoint takes a file of %s", async (_, format) => {
    const payload = samples.find(({ file }) => file === "speedscope.json")!.body;
    const reply = await send(`/ingest?name=app${format === "" ? "" : "2"}${format}&from=1795175940`, payload);
    expect([reply.statusCode, reply.json().message]).toEqual([200, undefined]);
  });

  const recording = (name: string) => readFileSync(new URL(`../jfr/${name}.jfr.gz`, folder));

  test.each([
    ["gzipped", (body: Buffer) => body, /^attachment; filename="cpu-[0-9a-f]{12}\.jfr\.gz"$/],
    ["zstd", (body: Buffer) => zstdCompressSync(gunzipSync(body)), /\.jfr\.zst"$/],
    ["plain", (body: Buffer) => gunzipSync(body), /\.jfr"$/],
  ])("a recording of Java, %s, under each type that it measures", async (name, packed, disposition) => {
    const payload = packed(recording("jdk25"));
    const reply = await send(
      `/api/v1/ingest/profiles?service=java-${name}&started_at=2026-11-20T11:59:00Z`,
      payload,
    );
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      expect.objectContaining({ type: "cpu", trimmed: {} }),
    ]);
    const { profile_id, also_listed } = reply.json();
    expect(also_listed.map(({ type }: { type: string }) => type)).toEqual(["memory", "mutex", "block"]);
    const ids = [profile_id, ...also_listed.map((listed: { profile_id: string }) => listed.profile_id)];
    const read = await Promise.all(ids.map(shown));
    const totals = read.map(({ profile }) =>
      Object.fromEntries(
        profile.sample_types.map(({ type, total }: { type: string; total: number }) => [type, total]),
      ),
    );
    expect(totals).toEqual([
      { samples: 124, cpu: 1_240_000_000, cpu_time_samples: 119, cpu_time: 1_190_000_000 },
      {
        alloc_objects: 785 + 12_636,
        alloc_space: 1_398_910_088 + 126_568_560,
        alloc_sample_objects: 217,
        alloc_sample_bytes: 1_509_647_200,
      },
      { contentions: 57, delay: 1_375_344_937 },
      { contentions: 372, delay: 1_480_528_429 },
    ]);
    expect(read.map(({ graph }) => graph.root.total_value)).toEqual([
      1_240_000_000, 1_525_478_648, 1_375_344_937, 1_480_528_429,
    ]);
    expect(read[0]!.file.rawPayload.equals(payload)).toBe(true);
    expect(read[0]!.file.headers["content-disposition"]).toMatch(disposition);
  });

  test.each([
    ["itimer", "cpu memory mutex", "alloc_objects alloc_space inuse_objects inuse_space"],
    ["wall", "cpu memory custom", "malloc_objects malloc_bytes"],
  ])("a recording of async-profiler: %s", async (name, types, memory) => {
    const reply = await send(
      `/api/v1/ingest/profiles?service=java&started_at=2026-11-20T11:59:00Z`,
      recording(name),
    );
    const { type, also_listed } = reply.json();
    expect([type, ...also_listed.map((each: { type: string }) => each.type)].join(" ")).toBe(types);
    const { profile } = await shown(also_listed[0].profile_id);
    expect(profile.sample_types.map((each: { type: string }) => each.type).join(" ")).toBe(memory);
    const last = await shown(also_listed.at(-1).profile_id);
    expect(last.graph.root.total_value).toBe(name === "wall" ? 60_280_000_000 : 855_581_921);
  });

  test("a recording that is compressed with LZ4", async () => {
    const payload = readFileSync(new URL("../jfr/wall.jfr.lz4", folder));
    const reply = await send("/api/v1/ingest/profiles?service=java&started_at=2026-11-20T11:58:00Z", payload);
    expect([reply.statusCode, reply.json().type]).toEqual([200, "cpu"]);
    const { profile, file } = await shown(reply.json().profile_id);
    expect(profile.sample_types.map(({ total }: { total: number }) => total)).toEqual([245, 2_450_000_000]);
    expect(file.rawPayload.equals(payload)).toBe(true);
    expect(file.headers["content-disposition"]).toMatch(/\.jfr\.lz4"$/);
    const refused = await sendProfile(payload.subarray(0, 5000));
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      "The LZ4 stream is damaged (it is cut off). Send the bytes exactly as they were written, for example with curl --data-binary.",
    ]);
  });

  test("a recording that is cut off is refused as one", async () => {
    const whole = gunzipSync(recording("wall"));
    const reply = await sendProfile(whole.subarray(0, 50_000));
    expect([reply.statusCode, reply.json().error]).toEqual([
      400,
      `The recording is cut off: a chunk has ${whole.length} bytes, and 50000 of them are there (byte 8). Send the profiler's output unchanged.`,
    ]);
  });

  test.each([
    [
      "stacks",
      `${"main;handle 1\n".repeat(200)}main;han`,
      "The collapsed stacks are cut off: line 201, the last one, has no end and no value (byte 2800)",
    ],
    ["JSON", '{"nodes":[{"id":1,"callFrame":{"functionName":"a', "The file is cut off: its JSON has no end"],
    ["JSON after a value", '{"nodes":[{"id":1', "The file is cut off: its JSON has no end"],
  ])(
    "%s that are cut off are refused as such, and the program that wrote them is not blamed",
    async (_, text, fault) => {
      const reply = await sendProfile(Buffer.from(text));
      expect([reply.statusCode, reply.json().error]).toEqual([
        400,
        `${fault}. Send the profiler's output unchanged.`,
      ]);
    },
  );

  test("a line without a value is named", async () => {
    const reply = await sendProfile(Buffer.from(`${"main;handle 1\n".repeat(200)}main;handle\n`));
    expect([reply.statusCode, reply.json().error]).toEqual([
      400,
      `Line 201 of the collapsed stacks must end with a whole number of at most 9007199254740991, such as "main;handle 12" (byte 2800). Correct the program that wrote it. Send the profiler's output unchanged.`,
    ]);
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
    ["a body without format", "/ingest?name=a", bodyOf("jfr.jfr"), 400, /The recording is cut off/],
    ["format=jfr", "/ingest?name=a&format=jfr", bodyOf("jfr.jfr"), 400, /The recording is cut off/],
    [
      "format=speedscope",
      "/ingest?name=a&format=speedscope",
      bodyOf("speedscope.py-spy.json"),
      400,
      /samples is no list/,
    ],
    ["the part jfr", "/ingest?name=a", form("jfr", bodyOf("jfr.jfr")), 400, /The recording is cut off/],
    [
      "the part profile",
      "/ingest?name=a",
      form("profile", bodyOf("cpuprofile.cpuprofile")),
      400,
      /its JSON has no end/,
    ],
    ["format=pprof", "/ingest?name=a&format=pprof", bodyOf("otlp.pb"), 400, /OTLP request has no sample/],
  ])("%s", async (_, url, payload, status, words) => {
    const isForm = payload.subarray(0, 3).toString() === "--b";
    const reply = await send(url, payload, isForm ? multipart : undefined);
    expect([reply.statusCode, reply.json().message]).toEqual([status, expect.stringMatching(words)]);
    expect(reply.json().message).not.toContain("/debug/pprof");
  });
});
