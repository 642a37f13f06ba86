/** A limit that the operator can set for one organization. */
interface LimitEntry {
  /** The setting of the server for organizations without another limit. */
  readonly setting: string;
  readonly min: number;
  readonly max: number;
}

/** The limits of an organization, in the order in which pages list them. */
export const organizationLimits = {
  /** Bytes of uploads as sent. */
  stored_bytes: { setting: "ORG_STORED_BYTES_MAX", min: 0, max: Number.MAX_SAFE_INTEGER },
  /** Requests with all keys of the organization. */
  uploads_per_minute: { setting: "ORG_UPLOADS_PER_MINUTE", min: 0, max: 10_000_000 },
  services: { setting: "ORG_SERVICES_MAX", min: 0, max: 1_000_000 },
  /** At most the days of the server. */
  retention_days: { setting: "RETENTION_DAYS", min: 1, max: 3650 },
  /** In a day (UTC). */
  analyses_per_day: { setting: "ORG_ANALYSES_PER_DAY", min: 0, max: 10_000_000 },
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof organizationLimits;

/** Limits of one organization that differ from the defaults of the server. */
export type OwnLimits = Readonly<Partial<Record<LimitName, number>>>;

export const limitNames = Object.keys(organizationLimits) as LimitName[];

/** The server itself fills the demo. */
export const demoLimitNames: readonly LimitName[] = ["analyses_per_day"];

/** The end of a sentence about another limit of the demo. */
export const demoLimitsText = `cannot be set for the demo, which the server fills itself: only ${demoLimitNames.join(", ")} can`;

/** Bytes of a gigabyte of the storage price, as in all sizes of the app. */
export const bytesOfGigabyte = 2 ** 30;

/** The price of a gigabyte and month, in any currency. */
export const storagePriceMax = 1_000_000;
