import type { StackTable } from "@flamekeep/profile";

/** The parts of a text: the stacks can come several times, as in a longer recording. */
export interface Text {
  readonly head: string | Uint8Array;
  readonly stacks: string | Uint8Array;
  readonly tail: string | Uint8Array;
}

/** A sample of a stack: its frames leaf first, and how often it comes. */
interface Sample {
  readonly frames: readonly Frame[];
  readonly count: number;
}

interface Frame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly address: number;
}

/** A recording with more events of one stack is no more work by event. */
const eventsMax = 20;

/** Writes stacks as the tools of each format do. */
export const texts: ReadonlyMap<string, (stacks: StackTable) => Text> = new Map(
  Object.entries({
    "collapsed stacks": collapsed,
    "perf script": perfScript,
    "goroutine dump": goroutineDump,
    "text of Go": goText,
    cProfile: pstats,
    "legacy CPU": legacyCpu,
    "legacy text": legacyText,
    jemalloc,
  }).map(([name, write]) => [name, (stacks: StackTable) => write(samplesOf(stacks))]),
);

function samplesOf({ frames, start, frame, values, length }: StackTable): Sample[] {
  const all = Array.from({ length: frames.length }, (_, at): Frame => {
    const [name, file] = [frames.functionName[at]!, frames.file[at]!];
    return { name, file, line: frames.line[at]!, address: 0x400_000 + 32 * at };
  });
  return Array.from({ length }, (_, stack) => ({
    frames: Array.from(frame.subarray(start[stack], start[stack + 1]), (at) => all[at]!),
    count: Math.max(1, Number(values[0]![stack])),
  }));
}

const hex = (address: number) => address.toString(16);
const joined = (samples: readonly Sample[], lineOf: (sample: Sample) => string) =>
  samples.map(lineOf).join("");

function collapsed(samples: readonly Sample[]): Text {
  const line = ({ frames, count }: Sample) =>
    `${frames
      .map(({ name }) => name)
      .reverse()
      .join(";")} ${count}\n`;
  return { head: "", stacks: joined(samples, line).trimEnd().split("\n").sort().join("\n") + "\n", tail: "" };
}

function perfScript(samples: readonly Sample[]): Text {
  let event = 0;
  const one = (stack: string) =>
    `shop ${4000 + (event % 8)} [00${event % 2}] ${(7100 + event++ / 997).toFixed(6)}:   10000000 cpu-clock: \n${stack}\n`;
  const events = ({ frames, count }: Sample) => {
    const stack = frames
      .map(({ name, address }) => `\t  ${hex(address)} ${name}+0x1f (/srv/shop)\n`)
      .join("");
    return Array.from({ length: Math.min(count, eventsMax) }, () => one(stack)).join("");
  };
  return { head: "", stacks: joined(samples, events), tail: "" };
}

function goroutineDump(samples: readonly Sample[]): Text {
  let id = 0;
  const goroutines = ({ frames, count }: Sample) => {
    const calls = frames.map(
      ({ name, file, line }) => `${name}(0xc000${hex(id * 4096)}?, {0x1, 0x2})\n\t${file}:${line} +0x24\n`,
    );
    const one = () =>
      `goroutine ${++id} [chan receive, ${id % 9} minutes]:\n${calls.join("")}created by main.main in goroutine 1\n\t/srv/main.go:52 +0x4e\n\n`;
    return Array.from({ length: Math.min(count, eventsMax) }, one).join("");
  };
  return { head: "", stacks: joined(samples, goroutines), tail: "" };
}

function goText(samples: readonly Sample[]): Text {
  const record = ({ frames, count }: Sample) => {
    const addresses = frames.map(({ address }) => ` 0x${hex(address)}`).join("");
    const comments = frames.map(
      ({ name, file, line, address }) => `#\t0x${hex(address)}\t${name}+0x24\t\t${file}:${line}\n`,
    );
    return `${count}: ${64 * count} [${9 * count}: ${9 * 64 * count}] @${addresses}\n${comments.join("")}\n`;
  };
  return { head: "heap profile: 1: 64 [9: 576] @ heap/1048576\n", stacks: joined(samples, record), tail: "" };
}

function legacyText(samples: readonly Sample[]): Text {
  const line = ({ frames, count }: Sample) =>
    `${count}: ${64 * count} [${9 * count}: ${9 * 64 * count}] @${frames.map(({ address }) => ` 0x${hex(address)}`).join("")}\n`;
  return {
    head: "heap profile: 1: 64 [9: 576] @ heap_v2/524288\n",
    stacks: joined(samples, line),
    tail: `MAPPED_LIBRARIES:\n${map}`,
  };
}

function jemalloc(samples: readonly Sample[]): Text {
  const lines = ({ frames, count }: Sample) =>
    `@${frames.map(({ address }) => ` 0x${hex(address)}`).join("")}\n  t*: ${count}: ${64 * count} [0: 0]\n  t0: ${count}: ${64 * count} [0: 0]\n`;
  return {
    head: "heap_v2/524288\n  t*: 1: 64 [0: 0]\n",
    stacks: joined(samples, lines),
    tail: `\nMAPPED_LIBRARIES:\n${map}`,
  };
}

const map = "00400000-00800000 r-xp 00000000 08:01 1234       /srv/shop\n";

function legacyCpu(samples: readonly Sample[]): Text {
  const words = (of: readonly number[]) => new Uint8Array(BigUint64Array.from(of, BigInt).buffer);
  return {
    head: words([0, 3, 0, 10_000, 0]),
    stacks: words(
      samples.flatMap(({ frames, count }) => [count, frames.length, ...frames.map(({ address }) => address)]),
    ),
    tail: Buffer.concat([words([0, 1, 0]), Buffer.from(map)]),
  };
}

/** Python's marshal, version 4, as `dump_stats` writes it. A second time the functions would be other entries of the dictionary. */
function pstats(samples: readonly Sample[]): Text {
  const functions = new Map<Frame, { self: number; callers: Map<Frame, number> }>();
  for (const { frames, count } of samples) {
    for (const [at, frame] of frames.entries()) {
      const entry = functions.get(frame) ?? { self: 0, callers: new Map<Frame, number>() };
      functions.set(frame, entry);
      if (at === 0) entry.self += count;
      const caller = frames[at + 1];
      if (caller !== undefined) entry.callers.set(caller, (entry.callers.get(caller) ?? 0) + count);
    }
  }
  const keys = new Keys();
  const entries = [...functions].flatMap(([frame, { self, callers }]) => [
    keys.of(frame),
    Buffer.from([0x29, 5]),
    ...[self + 1, self + 1].map(int),
    ...[self / 1e3, self / 1e2].map(float),
    Buffer.from("{"),
    ...[...callers].flatMap(([caller, count]) => [
      keys.of(caller),
      Buffer.from([0x29, 4]),
      ...[count, count].map(int),
      ...[0, count / 1e3].map(float),
    ]),
    Buffer.from("0"),
  ]);
  return { head: Buffer.from("{"), stacks: Buffer.concat(entries), tail: Buffer.from("0") };
}

/** Functions in the dictionaries: texts that come again are named by their number. */
class Keys {
  readonly #texts = new Map<string, number>();

  of({ name, file, line }: Frame): Buffer {
    return Buffer.concat([Buffer.from([0x29, 3]), this.#text(file), int(line), this.#text(name)]);
  }

  #text(text: string): Buffer {
    const known = this.#texts.get(text);
    if (known !== undefined) return reference(known);
    this.#texts.set(text, this.#texts.size);
    const bytes = Buffer.from(text);
    const head = Buffer.from([0xf5, 0, 0, 0, 0]);
    head.writeInt32LE(bytes.length, 1);
    return Buffer.concat([head, bytes]);
  }
}

function reference(to: number): Buffer {
  const bytes = Buffer.from("r\0\0\0\0");
  bytes.writeInt32LE(to, 1);
  return bytes;
}

function int(value: number): Buffer {
  const bytes = Buffer.from("i\0\0\0\0");
  bytes.writeInt32LE(value, 1);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.from("g\0\0\0\0\0\0\0\0");
  bytes.writeDoubleLE(value, 1);
  return bytes;
}
