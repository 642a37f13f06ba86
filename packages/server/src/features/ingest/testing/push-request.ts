/** Encoders of `push.v1.PushRequest` and Parca's `WriteRawRequest` for tests, apart from the reader they are used against. */

export interface PushedSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly profiles: readonly Uint8Array[];
}

/** A reader that does not skip it takes the end for another profile. */
const id = Buffer.from("\n\u0001x");

export function pushMessage(all: readonly PushedSeries[]): Buffer {
  return Buffer.concat(all.map((series) => seriesMessage(1, series, labelBlocks(series))));
}

export function writeRawMessage(all: readonly PushedSeries[]): Buffer {
  const isNormalized = Buffer.from([3 * 8, 1]);
  const series = all.map((each) => seriesMessage(2, each, [block(1, Buffer.concat(labelBlocks(each)))]));
  return Buffer.concat([...series, isNormalized]);
}

function labelBlocks({ labels }: PushedSeries): Buffer[] {
  return Object.entries(labels).map(([name, value]) =>
    block(1, Buffer.concat([block(1, Buffer.from(name)), block(2, Buffer.from(value))])),
  );
}

function seriesMessage(field: number, { profiles }: PushedSeries, labels: readonly Buffer[]): Buffer {
  const samples = profiles.map((profile) => block(2, Buffer.concat([block(1, profile), block(2, id)])));
  return block(field, Buffer.concat([...labels, ...samples]));
}

export function pushJson(all: readonly PushedSeries[]): object {
  return {
    series: all.map(({ labels, profiles }) => ({
      labels: Object.entries(labels).map(([name, value]) => ({ name, value })),
      samples: profiles.map((profile) => ({ rawProfile: Buffer.from(profile).toString("base64"), ID: "id" })),
    })),
  };
}

export function writeRawJson(all: readonly PushedSeries[]): object {
  return {
    series: all.map(({ labels, profiles }) => ({
      labels: { labels: Object.entries(labels).map(([name, value]) => ({ name, value })) },
      samples: profiles.map((profile) => ({ rawProfile: Buffer.from(profile).toString("base64") })),
    })),
    normalized: true,
  };
}

/** A length-delimited field. */
function block(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
