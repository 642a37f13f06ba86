// Encodes the text recipes of `recipes/*.txt` as `recipes/*.pb.gz`. examples/recordings/README.md describes the language.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const folder = fileURLToPath(new URL("./recipes/", import.meta.url));

/** Numbers of the fields in profile.proto, by message. */
const messages: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  profile: {
    sample_type: 1,
    sample: 2,
    mapping: 3,
    location: 4,
    function: 5,
    string_table: 6,
    drop_frames: 7,
    keep_frames: 8,
    time_nanos: 9,
    duration_nanos: 10,
    period_type: 11,
    period: 12,
    comment: 13,
    default_sample_type: 14,
  },
  sample_type: { type: 1, unit: 2 },
  period_type: { type: 1, unit: 2 },
  sample: { location_id: 1, value: 2, label: 3 },
  label: { key: 1, str: 2, num: 3, num_unit: 4 },
  mapping: {
    id: 1,
    memory_start: 2,
    memory_limit: 3,
    file_offset: 4,
    filename: 5,
    build_id: 6,
    has_functions: 7,
  },
  location: { id: 1, mapping_id: 2, address: 3, line: 4, is_folded: 5 },
  line: { function_id: 1, line: 2 },
  function: { id: 1, name: 2, system_name: 3, filename: 4, start_line: 5 },
};

const token = /\s*(?:#[^\n]*\n|"((?:\\.|[^"\\])*)"|([{}[\]])|([^\s{}[\]"#]+))/y;

/** A recipe's words: text in quotes is a Buffer. */
function tokensOf(text: string): (string | Buffer)[] {
  const tokens: (string | Buffer)[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[1] !== undefined) tokens.push(Buffer.from(JSON.parse(`"${match[1]}"`)));
    else if (match[2] !== undefined || match[3] !== undefined) tokens.push((match[2] ?? match[3])!);
  }
  return tokens.reverse();
}

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(varint(BigInt(number * 8 + 2))),
    Buffer.from(varint(BigInt(content.length))),
    content,
  ]);
}

/** Takes tokens from the end of the list, up to the brace that closes the message. */
function encodeMessage(name: string, tokens: (string | Buffer)[], counter = 0): Buffer {
  const parts: Buffer[] = [];
  for (let word = tokens.pop(); word !== undefined && word !== "}"; word = tokens.pop()) {
    if (word === "repeat") parts.push(repeated(name, tokens));
    else if (word === "bytes") parts.push(Buffer.from(String(tokens.pop()), "hex"));
    else if (word === "text") parts.push(Buffer.from(tokens.pop() as Buffer));
    else parts.push(encodeField(name, String(word), tokens, counter));
  }
  return Buffer.concat(parts);
}

/** `repeat N { ... }`: in it `$` counts from one. */
function repeated(name: string, tokens: (string | Buffer)[]): Buffer {
  const times = Number(tokens.pop());
  tokens.pop();
  const after = tokens.slice(0, closing(tokens));
  const parts = Array.from({ length: times }, (_, i) =>
    encodeMessage(name, [...tokens.slice(after.length)], i + 1),
  );
  tokens.length = after.length;
  return Buffer.concat(parts);
}

/** Where the brace is that closes what is open at the end of the list. */
function closing(tokens: readonly (string | Buffer)[]): number {
  let open = 1;
  for (let i = tokens.length - 1; i >= 0; i--) {
    if (tokens[i] === "{") open++;
    else if (tokens[i] === "}" && --open === 0) return i;
  }
  throw new Error("a brace is not closed");
}

function encodeField(name: string, word: string, tokens: (string | Buffer)[], counter: number): Buffer {
  const number = messages[name]?.[word] ?? Number(/^field(\d+)$/.exec(word)?.[1]);
  if (Number.isNaN(number)) throw new Error(`no field ${word} in ${name}`);
  const value = tokens.pop();
  if (value instanceof Buffer) {
    const text = counter === 0 ? value : Buffer.from(value.toString().replaceAll("$", String(counter)));
    return field(number, text);
  }
  if (value === "{") return field(number, encodeMessage(word, tokens, counter));
  if (value !== "[")
    return Buffer.from([...varint(BigInt(number * 8)), ...varint(integer(String(value), counter))]);
  const packed: number[] = [];
  for (let item = tokens.pop(); item !== "]"; item = tokens.pop()) {
    const [text = "", times = "1"] = String(item).split("*");
    const bytes = varint(integer(text, counter));
    for (let i = 0; i < Number(times); i++) packed.push(...bytes);
  }
  return field(number, Buffer.from(packed));
}

/** A number, or `$` with a number added. */
function integer(text: string, counter: number): bigint {
  return text.startsWith("$") ? BigInt(counter) + BigInt(text.slice(1) || 0) : BigInt(text);
}

const wrappings: Readonly<Record<string, (bytes: Buffer, amount: number) => Buffer>> = {
  /** Only the first so many bytes. */
  cut: (bytes, amount) => bytes.subarray(0, amount),
  /** Without the last so many bytes. */
  "cut-end": (bytes, amount) => bytes.subarray(0, bytes.length - amount),
  zeros: (bytes, amount) => Buffer.concat([bytes, Buffer.alloc(amount)]),
  append: (bytes, amount) => Buffer.concat([bytes, Buffer.alloc(amount, "x")]),
  flip: (bytes, amount) => bytes.with(amount < 0 ? bytes.length + amount : amount, 255) as Buffer,
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  twice: (bytes) => Buffer.concat([bytes, bytes]),
};

/** The first line has the name and, after a colon, what is done to the encoded bytes, in order; gzip alone if nothing. */
function encodeRecipe(recipe: string): { readonly name: string; readonly bytes: Buffer } {
  const [first = "", ...lines] = recipe.split("\n");
  const [name = "", steps = ""] = first.split(":").map((text) => text.trim());
  let bytes = encodeMessage("profile", tokensOf(`${lines.join("\n")}\n`));
  for (const step of steps === "" ? ["gzip"] : steps.split(",")) {
    const [wrapping = "", amount = "0"] = step.trim().split(" ");
    const wrap = wrappings[wrapping];
    if (wrap === undefined) throw new Error(`${name}: no step ${wrapping}`);
    bytes = Buffer.from(wrap(bytes, Number(amount)));
  }
  return { name, bytes };
}

/** A block whose name begins with "_" is a fragment that `include` puts into the others. */
function recipesIn(text: string): string[] {
  const blocks = text.split(/^== /m).slice(1);
  const fragments = new Map(blocks.map((block) => [block.slice(0, block.indexOf("\n")), block]));
  const included = (name: string) => fragments.get(name)?.slice(name.length) ?? `no fragment ${name}`;
  return blocks
    .filter((block) => !block.startsWith("_"))
    .map((block) => block.replace(/^include (_\S+)$/gm, (_, name) => included(name)));
}

for (const file of globSync("*.txt", { cwd: folder }))
  for (const recipe of recipesIn(readFileSync(`${folder}${file}`, "utf8"))) {
    const { name, bytes } = encodeRecipe(recipe);
    writeFileSync(`${folder}${file.replace(".txt", "")}-${name}.pb.gz`, bytes);
    console.info(`${file.replace(".txt", "")}-${name}: ${bytes.length} bytes`);
  }
