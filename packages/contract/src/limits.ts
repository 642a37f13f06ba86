/** Numbers that both sides hold to. Times in seconds or milliseconds as named. */
export const limits = {
  passwordLengthMin: 8,
  /** Hashing cost grows with nothing else a caller controls. */
  passwordBytesMax: 1024,
  emailLengthMax: 254,
  personNameLengthMax: 100,
  apiKeyNameLengthMax: 100,
  apiKeyPageSize: 20,
  apiKeyPageSizeMax: 100,
  profileListLimit: 100,
  profileListLimitMax: 1000,
  alertListLimit: 100,
  alertListLimitMax: 1000,
  alertEmailsMax: 20,
  deliveryUrlLengthMax: 2000,
  webhookSecretLengthMin: 16,
  serviceNameLengthMax: 200,
  searchLengthMax: 200,
  /** Parameters of an upload that the reply lists because they mean nothing. */
  ignoredParametersMax: 20,
  ignoredNameLengthMax: 100,
  projectNameLengthMax: 200,
  projectDescriptionLengthMax: 2000,
  projectTagLengthMax: 100,
  projectTagsMax: 50,
  flameGraphNodes: 16_384,
  flameGraphNodesMax: 100_000,
  /** Levels of a flame graph as JSON, the root's included: each node has the path to it as its id. */
  flameGraphJsonDepthMax: 512,
  /** About how long one gets: each node has its names in full. */
  flameGraphJsonBytesMax: 128 * 1024 * 1024,
  accessTokenSeconds: 900,
  /** Within this time before its end the browser renews the access token. */
  accessTokenRenewSeconds: 300,
  requestTimeoutMs: 30_000,
  sinceDaysMax: 3660,
  retentionDaysMax: 3650,
  /** More, and the bucket of a timeline is widened. */
  timelinePointsMax: 11_000,
  /** A week, in seconds: no request takes longer, and sums of what is taken stay numbers. */
  httpDurationSecondsMax: 604_800,
  httpMetricsLimit: 100,
  httpMetricsLimitMax: 1000,
  /** Paths of an aggregation, those with most requests. */
  httpGroupsMax: 1000,
  /** Up to so many requests quantiles come from the requests themselves; beyond from histograms. */
  httpExactRequestsMax: 200_000,
  topServicesMax: 100,
  /** Profiles a chart over a range looks at. */
  chartProfiles: 50,
  chartProfilesMax: 500,
  /** Stacks, call sites or labels of a chart. */
  chartRowsMax: 200,
  chartFramesMax: 100,
} as const;
