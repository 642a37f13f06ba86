/** Limits of requests and replies. Names end in the unit of times. */
export const limits = {
  passwordLengthMin: 8,
  /** Bounds the input of the password hash. */
  passwordLengthMax: 1024,
  emailLengthMax: 254,
  personNameLengthMax: 100,
  organizationNameLengthMax: 100,
  passkeyNameLengthMax: 100,
  passkeysMax: 20,
  invitationDays: 7,
  invitationDaysMax: 30,
  /** An invitation leads to the path of a page, with its query. */
  viewPathLengthMax: 2000,
  /** Invitations of an organization that can still be accepted. */
  invitationsMax: 100,
  /** Public links of an organization that have not expired. */
  sharedLinksMax: 500,
  /** Days that entries of the audit log are kept. */
  auditDays: 400,
  /** Listed on the operator's page. */
  deletedOrganizationsMax: 100,
  auditPageSize: 50,
  auditPageSizeMax: 200,
  apiKeyNameLengthMax: 100,
  apiKeyPageSize: 20,
  apiKeyPageSizeMax: 100,
  apiKeyDaysMax: 3650,
  /** Days of the usage of a key that are kept and shown. */
  apiKeyUsageDays: 30,
  /** Tags of a profile that are stored. */
  profileTagsMax: 32,
  /** Services, their trends, or projects in a reply; also without a limit in the request. */
  listPageMax: 500,
  /** A `next_cursor` may have a name and an id whose letters take three bytes each. */
  cursorLengthMax: 2000,
  /** Services whose trends one call may name: all of a project. */
  trendServicesMax: 100,
  sendersListLimit: 50,
  sendersListLimitMax: 100,
  /** Days after which a service that sends nothing is no longer listed as a sender. */
  sendersDays: 8,
  senderInstancesMax: 200,
  /** Keys with rejected requests that a page of senders lists. */
  rejectedKeysMax: 20,
  /** Targets of an organization from which the server pulls profiles. */
  targetsMax: 1000,
  /** Processes of one target. */
  targetInstancesMax: 1000,
  /** Processes of a target whose state is listed; those with errors come first. */
  targetInstancesListed: 50,
  targetNameLengthMax: 100,
  targetUrlLengthMax: 2000,
  targetIntervalSecondsMin: 10,
  targetIntervalSecondsMax: 3600,
  targetTagsMax: 20,
  targetHeadersMax: 20,
  targetHeaderLengthMax: 8000,
  /** A file of certificates. */
  targetCaLengthMax: 100_000,
  profileListLimit: 100,
  profileListLimitMax: 1000,
  alertListLimit: 100,
  alertListLimitMax: 1000,
  incidentListLimit: 50,
  incidentListLimitMax: 500,
  incidentCommentLengthMax: 2000,
  incidentCommentsMax: 200,
  alertEmailsMax: 20,
  deliveryUrlLengthMax: 2000,
  webhookSecretLengthMin: 16,
  recommendations: 10,
  recommendationsMax: 50,
  analysisListLimit: 20,
  analysisListLimitMax: 100,
  findingListLimit: 100,
  findingListLimitMax: 500,
  feedbackReasonLengthMax: 500,
  questionLengthMax: 2000,
  answerLengthMax: 20_000,
  /** Questions and answers before the current one that the model is reminded of. */
  earlierQuestionsMax: 6,
  dashboardsMax: 100,
  dashboardNameLengthMax: 100,
  dashboardDescriptionLengthMax: 500,
  dashboardPanelsMax: 24,
  /** Versions of a dashboard that are kept. */
  dashboardVersionsMax: 50,
  panelTitleLengthMax: 100,
  panelNoteLengthMax: 2000,
  serviceNameLengthMax: 200,
  searchLengthMax: 200,
  /** Fewer letters match most functions. */
  functionSearchLengthMin: 3,
  functions: 20,
  functionsMax: 100,
  /** Services that one call may name to add up their functions. */
  functionServicesMax: 50,
  /** Projects that one call may name to add up the functions of their services. */
  functionProjectsMax: 4,
  /** Services whose functions are added up if none is named. */
  countedServicesMax: 100,
  /** Services that are listed for each shared function unless the call says otherwise. */
  servicesOfFunction: 5,
  /** Files of one request. */
  uploadFilesMax: 100,
  fileNameLengthMax: 200,
  /** Unknown parameters of an upload that the reply lists. */
  ignoredParametersMax: 20,
  ignoredNameLengthMax: 100,
  projectNameLengthMax: 200,
  projectDescriptionLengthMax: 2000,
  projectTagLengthMax: 100,
  projectTagsMax: 50,
  /** Services of a project: no more than functions are added up for. */
  projectServicesMax: 100,
  flameGraphNodes: 16_384,
  /** The most nodes of a call tree. Columns can have all of them: a million nodes are about 3 MB compressed. */
  flameGraphNodesMax: 2 ** 21,
  /** Of JSON, which takes 360 bytes for each node. */
  flameGraphJsonNodesMax: 100_000,
  /** Characters of the id of a frame, which is its path: enough for 4,000 levels. */
  flameGraphRootLengthMax: 8000,
  sourceLinksMax: 1000,
  sourcePatternLengthMax: 500,
  sourcePrefixLengthMax: 300,
  /** Levels of a flame graph as JSON, including the root. Limited because the id of each node is its path. */
  flameGraphJsonDepthMax: 512,
  /** Approximate size of one. Limited because each node contains full names. */
  flameGraphJsonBytesMax: 128 * 1024 * 1024,
  /** Functions of a comparison as JSON: those that changed most. */
  comparedFunctionsMax: 1000,
  accessTokenSeconds: 900,
  /** How long before its expiry the browser renews the access token. */
  accessTokenRenewSeconds: 300,
  requestTimeoutMs: 30_000,
  sinceDaysMax: 3660,
  retentionDaysMax: 3650,
  /** The bucket of a timeline is widened if there would be more points. */
  timelinePointsMax: 11_000,
  /** A week: no request takes longer, and sums stay exact numbers. */
  httpDurationSecondsMax: 604_800,
  httpMetricsLimit: 100,
  httpMetricsLimitMax: 1000,
  /** Paths of an aggregation: those with the most requests. */
  httpGroupsMax: 1000,
  httpPathLengthMax: 2048,
  httpMethodLengthMax: 20,
  /** How far the nearest profile may be from a request. */
  requestProfileMinutesMax: 15,
  /** Quantiles come from the requests themselves up to this number, and from histograms beyond it. */
  httpExactRequestsMax: 200_000,
  topServicesMax: 100,
  /** Profiles of a chart over a range. */
  chartProfiles: 50,
  chartProfilesMax: 500,
  /** Stacks, call sites or labels of a chart. */
  chartRowsMax: 200,
  chartFramesMax: 100,
  sampleTypeLengthMax: 200,
  tagNameLengthMax: 200,
  labelValueLengthMax: 2048,
  /** Labels of samples in one filter. */
  labelFiltersMax: 20,
  /** Keys of labels, and values of one key, that a reply lists. */
  labelKeysMax: 50,
  labelValuesMax: 100,
  /** Values that a flame graph is grouped by; further ones are one group. */
  labelGroupsMax: 50,
  /** Lines of a timeline that is split by a tag. */
  seriesLinesMax: 8,
  /** Tags of a service, and values of one tag, that completion offers. */
  tagNamesMax: 100,
  tagValuesMax: 100,
  /** Series by service, type and version that one scrape gets. */
  serviceMetricSeriesMax: 2000,
  /** Tags of one mute of alerts, and mutes of one organization. */
  muteTagsMax: 10,
  muteTagValueLengthMax: 1024,
  muteReasonLengthMax: 200,
  mutesMax: 500,
  timeZoneLengthMax: 64,
  ruleNameLengthMax: 100,
  /** A method, a space and a path. */
  ruleRouteLengthMax: 2069,
  /** Tags of one rule for alerts. */
  ruleTagsMax: 10,
  /** The longest time that values must be beyond the threshold of a rule. */
  ruleMinutesMax: 1440,
  /** An alert of a rule resolves once values were back for as long as they must be beyond, or this long if that is shorter. */
  ruleBackMinutesMax: 10,
  rulePreviewDays: 7,
  rulePreviewAlertsMax: 100,
  deploysMax: 100,
  /** How far before a range versions count as seen. */
  deployLookbackDays: 7,
} as const;
