import { createCipheriv } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";

/** A body that tries to cost far more memory or time than its size suggests. */
export interface HostileBody {
  readonly name: string;
  readonly bytes: Buffer;
}

function filled(open: string, unit: string, close: string, size: number): Buffer {
  const count = Math.max(1, Math.floor((size - open.length - close.length) / unit.length));
  return Buffer.from(open + unit.repeat(count) + close);
}

/** As many members with distinct names as fit. Written into bytes, for a process with a small heap. */
function manyKeys(size: number, open = "{"): Buffer {
  const bytes = Buffer.alloc(size);
  let end = bytes.write(open);
  for (let count = 0; end < size - 30; count++) end += bytes.write(`"k${count.toString(36)}":1,`, end);
  end += bytes.write('"last":1}', end);
  return bytes.subarray(0, end);
}

/** JSON of about `size` bytes each: arbitrary JSON, and HTTP metrics with timestamps of `at`. */
export function hostileJson(size: number, at: Date): HostileBody[] {
  const time = `"timestamp":${at.getTime()},"duration":1,"status_code":200,"method":"G"`;
  const metric = `{${time},"path":"/"}`;
  const bodies: Record<string, Buffer> = {
    "nested arrays": filled("", "[", "", size),
    "closed nested arrays": Buffer.concat([filled("", "[", "", size / 2), filled("", "]", "", size / 2)]),
    "nested objects": filled("", '{"a":', "", size),
    "nested arrays in a field": filled('{"name":', "[", "", size),
    "wide array of empty arrays": filled("[", "[],", "[]]", size),
    "wide array of numbers": filled("[", "1,", "1]", size),
    "huge string": filled('"', "x", '"', size),
    "huge string of escapes": filled('{"name":"', "\\u0041", '"}', size),
    "huge number": filled("", "9", "", size),
    "huge number in a field": filled('{"name":', "9", "}", size),
    "infinite numbers": filled('{"a":[', "1e999,", "1]}", size),
    "many keys": manyKeys(size),
    "one key many times": filled("{", '"name":1,', '"name":2}', size),
    "__proto__ and constructor": filled("{", '"__proto__":{"constructor":{"prototype":1}},', '"a":1}', size),
    "nothing but whitespace": filled("", " \n", "", size),
    "many lines with nesting in the last": filled("", `${metric}\n`, "[".repeat(1000), size),
    "metrics with nested members": filled("[", `{${time},"path":${"[".repeat(64)},`, "1]", size),
    "metrics of many keys": manyKeys(size, `[{${time},"path":"/",`),
    "metrics with infinite durations": filled("[", metric.replace(":1,", ":1e999,").concat(","), "1]", size),
    "an array of metrics around nesting": filled('{"metrics":[', "[", "", size),
    "as many metrics as fit": filled("[", `${metric},`, `${metric}]`, size),
  };
  return Object.entries(bodies).map(([name, bytes]) => ({ name, bytes }));
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

function field(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), varint(content.length), content]);
}

const texts = ["", "cpu", "nanoseconds"].map((text) => field(0x32, Buffer.from(text)));
const sampleType = Buffer.of(0x0a, 4, 8, 1, 16, 2);

/** pprof profiles of about `size` bytes each: too many of every repeated field. */
export function hostileProfiles(size: number): HostileBody[] {
  const many = (...unit: number[]) => Buffer.alloc(size - 40, Buffer.of(...unit));
  const bodies: Record<string, Buffer> = {
    "empty samples": many(0x12, 0),
    "samples of one location": many(0x12, 4, 0x08, 1, 0x10, 1),
    "empty strings": many(0x32, 0),
    "short strings": many(0x32, 1, 0x61),
    "locations of one id": many(0x22, 2, 0x08, 1),
    "empty locations": many(0x22, 0),
    "functions of one id": many(0x2a, 2, 0x08, 1),
    "empty functions": many(0x2a, 0),
    "mappings of one id": many(0x1a, 2, 0x08, 1),
    "empty mappings": many(0x1a, 0),
    "labels in one sample": field(0x12, many(0x1a, 4, 0x08, 1, 0x10, 1)),
    "locations in one sample": field(0x12, field(0x0a, many(1))),
    "lines in one location": field(0x22, many(0x22, 2, 0x08, 1)),
    "sample types": many(0x0a, 4, 8, 1, 16, 2),
    comments: field(0x6a, many(1)),
    "one huge string": field(0x32, many(0x61)),
    "unknown fields": many(0xf8, 0x7f, 1),
  };
  return Object.entries(bodies).map(([name, content]) => ({
    name: `profile: ${name}`,
    bytes: Buffer.concat([sampleType, content, ...texts]),
  }));
}

/** The profile and a string that does not compress, so that the whole compresses about 100:1 at most. */
export function withNoise({ name, bytes }: HostileBody): HostileBody {
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16));
  const noise = cipher.update(Buffer.alloc(Math.ceil(bytes.length / 100)));
  return { name, bytes: Buffer.concat([bytes, field(0x32, noise)]) };
}

/**
 * A valid profile of `samples` samples, each with another stack of `depth` frames and two values, over a tenth as many functions.
 * Uploads at the limits are expensive without being damaged.
 */
export function largeProfile(samples: number, depth: number): Buffer {
  const functions = Math.ceil(samples / 10);
  const parts: Buffer[] = [sampleType, sampleType];
  for (let i = 0; i < samples; i++) {
    const stack = Array.from({ length: depth }, (_, level) =>
      varint(1 + (((level < 3 ? i * (level + 1) : Math.floor(i / functions)) + level * level) % functions)),
    );
    const values = Buffer.concat([varint(i + 1), varint(10_000 + i)]);
    parts.push(field(0x12, Buffer.concat([field(0x0a, Buffer.concat(stack)), field(0x12, values)])));
  }
  for (let id = 1; id <= functions; id++) {
    const name = varint(texts.length + id - 1);
    parts.push(
      field(
        0x22,
        Buffer.concat([
          Buffer.of(0x08),
          varint(id),
          field(0x22, Buffer.concat([Buffer.of(0x08), varint(id)])),
        ]),
      ),
    );
    parts.push(field(0x2a, Buffer.concat([Buffer.of(0x08), varint(id), Buffer.of(0x10), name])));
  }
  const names = Array.from({ length: functions }, (_, i) =>
    field(0x32, Buffer.from(`example.com/module/package.function${i}`)),
  );
  return Buffer.concat([...parts, ...texts, ...names]);
}

/** Valid HTTP metrics, each with another path, of about 300 bytes. */
export function largeMetrics(count: number, at: Date): Buffer {
  const metrics = Array.from({ length: count }, (_, i) => ({
    timestamp: at.getTime() - (i % 3600) * 1000,
    duration: i / 1000,
    status_code: 200,
    method: "GET",
    path: `/orders/${i}/${"x".repeat(180)}`,
    request_id: `request-${i}`,
  }));
  return Buffer.from(JSON.stringify(metrics));
}

/** A message of `push.v1.PushRequest` with one profile. */
export function pushOf(profile: Buffer): Buffer {
  return field(0x0a, field(0x12, field(0x0a, profile)));
}

/** Messages of `push.v1.PushRequest` with `count` profiles each; compressed, each profile inflates to `size` bytes. */
export function hostilePushes(size: number, count: number): HostileBody[] {
  const label = (name: string, value: string) =>
    field(0x0a, Buffer.concat([field(0x0a, Buffer.from(name)), field(0x12, Buffer.from(value))]));
  const sample = (profile: Buffer) => field(0x12, field(0x0a, profile));
  const labels = Buffer.concat([label("service_name", "hostile"), label("__name__", "process_cpu")]);
  const push = (...samples: Buffer[]) => field(0x0a, Buffer.concat([labels, ...samples]));
  const repeated = (profile: Buffer) => push(...Array.from({ length: count }, () => sample(profile)));
  const tiny = Buffer.concat([sampleType, ...texts]);
  const padded = Buffer.concat([tiny, Buffer.alloc(size, Buffer.of(0xf8, 0x7f, 1))]);
  return [
    { name: "push: profiles that inflate to unknown fields", bytes: repeated(gzipSync(padded)) },
    { name: "push: profiles that inflate to zeros", bytes: repeated(gzipSync(Buffer.alloc(size))) },
    { name: "push: tiny profiles", bytes: repeated(tiny) },
    { name: "push: empty profiles", bytes: repeated(Buffer.alloc(0)) },
    { name: "push: many empty series", bytes: Buffer.alloc(size, Buffer.of(0x0a, 0)) },
    { name: "push: many labels", bytes: field(0x0a, Buffer.alloc(size, label("a", "b"))) },
    { name: "push: one long label", bytes: push(label("x", "y".repeat(size))) },
    ...hostileProfiles(size).map(({ name, bytes }) => ({
      name: `push of ${name}`,
      bytes: repeated(gzipSync(bytes)),
    })),
  ];
}

const compressions = { gzip: gzipSync, zstd: zstdCompressSync } as const;

/** Each body compressed both ways, and uncompressed up to `plainBytesMax`. */
export function sentAs(bodies: readonly HostileBody[], plainBytesMax: number): HostileBody[] {
  return bodies.flatMap(({ name, bytes }) => [
    ...(bytes.length <= plainBytesMax ? [{ name, bytes }] : []),
    ...Object.entries(compressions).map(([format, compress]) => ({
      name: `${format} of ${name}`,
      bytes: compress(bytes),
    })),
  ]);
}

/** Containers: nested compression, many gzip members, and a gzip stream that is cut off. */
export function hostileContainers(size: number): HostileBody[] {
  const zeros = gzipSync(Buffer.alloc(size));
  const member = gzipSync(Buffer.alloc(64 * 1024));
  return [
    { name: "gzip in gzip", bytes: gzipSync(zeros) },
    { name: "gzip in zstd", bytes: zstdCompressSync(zeros) },
    {
      name: "many gzip members",
      bytes: Buffer.concat(Array.from({ length: 2 + size / 65_536 }, () => member)),
    },
    { name: "a gzip that is cut off", bytes: zeros.subarray(0, zeros.length / 2) },
  ];
}

export const formType = "multipart/form-data; boundary=hostile";

/** A form as Pyroscope's SDKs send it, with JSON that describes the sample types. */
export function hostileForm(config: Buffer): Buffer {
  const part = (name: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(`--hostile\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n`),
      content,
      Buffer.from("\r\n"),
    ]);
  return Buffer.concat([
    part("sample_type_config", config),
    part("profile", Buffer.concat([sampleType, ...texts])),
    Buffer.from("--hostile--\r\n"),
  ]);
}
