/** A pprof encoder for tests, apart from the reader it is used against. */

export interface Picture {
  /** `type/unit` in order. */
  readonly sampleTypes: readonly string[];
  /** Root first, `;` between functions, then one value per sample type. */
  readonly samples: readonly (readonly [stack: string, ...values: (number | bigint)[]])[];
  readonly timeNs?: bigint;
  readonly durationNs?: bigint;
  readonly periodType?: string;
  /** Where the operating system mapped the vDSO: a different address for each process. */
  readonly vdso?: number;
}

/** The plain protobuf bytes of a profile. */
export function pprofOf({
  sampleTypes,
  samples,
  timeNs = 0n,
  durationNs = 0n,
  periodType = "",
  vdso,
}: Picture): Buffer {
  const strings = [""];
  const text = (value: string): number => {
    const at = strings.indexOf(value);
    return at >= 0 ? at : strings.push(value) - 1;
  };
  const valueType = (name: string): Buffer => {
    const [type = "", unit = ""] = name.split("/");
    return Buffer.concat([field(1, text(type)), field(2, text(unit))]);
  };
  const mapping = (id: number, start: number, file: string) =>
    message(3, Buffer.concat([field(1, id), field(2, start), field(3, start + 4096), field(5, text(file))]));
  const functions = [...new Set(samples.flatMap(([stack]) => stack.split(";")))];
  const id = (name: string): number => functions.indexOf(name) + 1;
  const body = [
    ...sampleTypes.map((name) => message(1, valueType(name))),
    ...samples.map(([stack, ...values]) =>
      message(
        2,
        Buffer.concat([
          message(
            1,
            Buffer.concat(
              stack
                .split(";")
                .reverse()
                .map((name) => varint(id(name))),
            ),
          ),
          message(2, Buffer.concat(values.map(varint))),
        ]),
      ),
    ),
    ...functions.map((name) =>
      message(
        4,
        Buffer.concat([field(1, id(name)), message(4, Buffer.concat([field(1, id(name)), field(2, 7)]))]),
      ),
    ),
    ...functions.map((name) =>
      message(5, Buffer.concat([field(1, id(name)), field(2, text(name)), field(4, text("main.go"))])),
    ),
    ...(vdso === undefined ? [] : [mapping(1, 0x400000, "/app"), mapping(2, vdso, "[vdso]")]),
    ...(periodType === "" ? [] : [message(11, valueType(periodType))]),
  ];
  const table = strings.map((value) => message(6, Buffer.from(value)));
  return Buffer.concat([...body, ...table, field(9, timeNs), field(10, durationNs)]);
}

function field(number: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

function message(number: number, body: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(body.length), body]);
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}
