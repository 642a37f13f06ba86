import { flameGraphContentType } from "@flamekeep/contract";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export interface Call {
  readonly what: string;
  /** p50, milliseconds. */
  readonly barMs: number;
  /** The path of a round's call. */
  readonly path: (round: number) => string;
  readonly accept: string;
}

/** The calls of a page for a service whose samples have labels, and the graph without a filter to compare them with. */
export function labelledCallsAt(service: string, nowMs: number): Call[] {
  const of = `service/${service}/cpu`;
  const flame = { accept: flameGraphContentType };
  const json = { accept: "application/json" };
  /** As long in every round, and a minute earlier in each. */
  const range = (hours: number, round: number) => {
    const toMs = nowMs - round * minuteMs;
    return `from=${toMs - hours * hourMs}&to=${toMs}`;
  };
  const handler = (round: number) => `labels=handler:/handler/${round % 20}`;
  return [1, 24].flatMap((hours): Call[] => {
    const barMs = hours === 1 ? 12 : 40;
    return [
      {
        what: `merged flame graph, ${hours} h, another range each time`,
        ...flame,
        barMs,
        path: (round) => `flamegraph/${of}?${range(hours, round)}`,
      },
      {
        what: `filtered by a label, ${hours} h`,
        ...flame,
        barMs,
        path: (round) => `flamegraph/${of}?${range(hours, round)}&${handler(round)}`,
      },
      {
        what: `grouped by a label, ${hours} h`,
        ...flame,
        barMs: 2 * barMs,
        path: (round) => `flamegraph/${of}?${range(hours, round)}&group_by_label=handler`,
      },
      {
        what: `shares of labels, ${hours} h`,
        ...json,
        barMs,
        path: (round) => `labels/${of}?${range(hours, round)}`,
      },
      {
        what: `timeline by a label, ${hours} h`,
        ...json,
        barMs,
        path: (round) => `series/${of}?${range(hours, round)}&bucket=15m&group_by_label=handler`,
      },
    ];
  });
}
