import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { z } from "zod";

const portMax = 65_535;
/** 0.0.0.0 or ::, at which other machines reach themselves. */
const everyAddress = /^[0.:]+$/;

/** How the server processes that share their stores reach each other. */
export const clusterSettings = {
  CLUSTER_ADDRESS: z
    .string()
    .refine(
      (text) => isIP(text) !== 0 && !everyAddress.test(text),
      "must be one IP address of this machine, such as 10.0.0.7",
    )
    .optional()
    .meta({
      description:
        "with `DATABASE_URL` and `CLICKHOUSE_URL`: the [private address](cluster.md) at which the other server processes reach this one; it listens on this address alone",
      shown: "the machine's first network address",
    }),
  CLUSTER_PORT: z
    .string()
    .regex(/^(auto|\d{1,5})$/, "must be a port, or auto")
    .refine((text) => text === "auto" || Number(text) <= portMax, `must be at most ${portMax}`)
    .default("auto")
    .meta({
      description: "the port at `CLUSTER_ADDRESS`",
      shown: "`auto`: 4041, or another one if it is in use",
    }),
};

export interface ClusterConfig {
  readonly host: string;
  /** auto: the usual one, or another one if it is in use. */
  readonly port: number | "auto";
  /** Not a setting: a process without a heartbeat for this long has left. */
  readonly deadMs: number;
}

const deadMs = 10_000;

type ClusterEnvironment = z.output<z.ZodObject<typeof clusterSettings>> & {
  readonly DATABASE_URL?: string | undefined;
  readonly CLICKHOUSE_URL?: string | undefined;
};

/** Undefined if the stores are this process's alone. */
export function clusterConfigOf(env: ClusterEnvironment): ClusterConfig | undefined {
  if (env.DATABASE_URL === undefined || env.CLICKHOUSE_URL === undefined) return undefined;
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
  // An address of one link alone names its interface.
  const first = addresses.find(({ internal, scopeid }) => !internal && !scopeid)?.address;
  const { CLUSTER_ADDRESS: host = first ?? "127.0.0.1", CLUSTER_PORT: port } = env;
  return { host, port: port === "auto" ? port : Number(port), deadMs };
}
