/** The table of docs/operate/sizing.md is calculated from numbers that benches measured, and from assumptions. */
export interface Measured {
  /** The bench `ingestion` prints these two, for server and engine together. */
  readonly cpuMsPerProfile: number;
  readonly residentMb: number;
  /** Mean of the recorded shop over the five types, as sent. */
  readonly uploadBytes: number;
}

export const assumed = {
  pods: 10,
  types: 5,
  intervalSeconds: 15,
  days: 30,
  /** The rest is for reads and peaks. */
  coreUse: 0.6,
  coresPerProcess: 2,
  /** The bar of the bench `originals`: columns over bytes as sent. */
  columnsShare: 0.25,
  usdPerCoreMonth: 30,
  usdPerDiskGbMonth: 0.1,
  usdPerObjectGbMonth: 0.023,
} as const;

const serviceCounts = [100, 1_000, 10_000];

export function sizingTable(measured: Measured): string {
  const rows = serviceCounts.map((services) => rowOf(services, measured));
  const names = Object.keys(rows[0]!);
  const lines = [names, names.map(() => "---"), ...rows.map((row) => Object.values(row))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rowOf(services: number, { cpuMsPerProfile, residentMb, uploadBytes }: Measured) {
  const uploads = (services * assumed.pods * assumed.types) / assumed.intervalSeconds;
  const cores = (uploads * cpuMsPerProfile) / 1000 / assumed.coreUse;
  const processes = Math.ceil(cores / assumed.coresPerProcess);
  const sentGb = (uploads * uploadBytes * 86_400 * assumed.days) / 1e9;
  const columnsGb = sentGb * assumed.columnsShare;
  const usd =
    processes * assumed.coresPerProcess * assumed.usdPerCoreMonth +
    columnsGb * assumed.usdPerDiskGbMonth +
    sentGb * assumed.usdPerObjectGbMonth;
  return {
    services: count(services),
    "uploads a second": count(uploads),
    "cores, server and store": count(cores),
    "processes of two cores": count(processes),
    "memory, GB": count((processes * residentMb) / 1000),
    "columns on disk, TB": terabytes(columnsGb),
    "originals in object storage, TB": terabytes(sentGb),
    "USD a month": count(usd),
  };
}

function count(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value).toLocaleString("en");
}

function terabytes(gigabytes: number): string {
  return count(gigabytes / 1000);
}
