import { WireWriter } from "@flamekeep/profile";
import type { Levels } from "./levels.ts";

const high = 2 ** 32;

/** `querier.v1.FlameGraph`, or `FlameGraphDiff` of two sides, as field 1 of a reply. */
export function flameGraphMessage(graph: Levels, isJson: boolean): Uint8Array<ArrayBuffer> {
  return isJson ? asJson(graph) : asProtobuf(graph);
}

function asProtobuf({ names, levels, totals, maxSelf }: Levels): Uint8Array<ArrayBuffer> {
  const wire = new WireWriter();
  const number = (field: number, value: number) => wire.halves(field, value % high, Math.floor(value / high));
  wire.block(1, () => {
    for (const name of names) wire.text(1, name);
    for (const values of levels)
      wire.block(2, () =>
        wire.block(1, () => {
          for (const value of values) wire.element(value % high, Math.floor(value / high));
        }),
      );
    number(3, sumOf(totals));
    number(4, maxSelf);
    if (totals.length === 2) for (const [side, total] of totals.entries()) number(5 + side, total);
  });
  return wire.toBytes();
}

/** 64-bit integers are texts in protobuf's JSON. */
function asJson({ names, levels, totals, maxSelf }: Levels): Uint8Array<ArrayBuffer> {
  const [leftTicks, rightTicks] = totals.map(String);
  const flamegraph = {
    names,
    levels: levels.map((values) => ({ values: values.map(String) })),
    total: String(sumOf(totals)),
    maxSelf: String(maxSelf),
    ...(totals.length === 2 && { leftTicks, rightTicks }),
  };
  return Uint8Array.from(Buffer.from(JSON.stringify({ flamegraph })));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
