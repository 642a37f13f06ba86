import type {
  AlertChannel,
  DigestChannel,
  ProfileType,
  RuleComparison,
  RuleSignal,
} from "@flamekeep/contract";
import type { ColumnType } from "kysely";
import type { Flag, Timestamp } from "./columns.ts";

export interface AlertTables {
  readonly alerts: AlertsTable;
  readonly alertCoverage: AlertCoverageTable;
  readonly alertDigests: AlertDigestsTable;
  readonly alertHandling: AlertHandlingTable;
  readonly alertMutes: AlertMutesTable;
  readonly alertProgress: AlertProgressTable;
  readonly alertRules: AlertRulesTable;
  readonly alertRuleProgress: AlertRuleProgressTable;
  readonly alertSettings: AlertSettingsTable;
  readonly alertDeliveries: AlertDeliveriesTable;
  readonly incidentAssignments: IncidentAssignmentsTable;
  readonly incidentComments: IncidentCommentsTable;
  readonly digestDeliveries: DigestDeliveriesTable;
}

/** At most one is open for a service, type and sample type, and one for a rule. */
interface AlertsTable {
  readonly id: string;
  readonly orgId: string;
  /** The id of the first alert of its incident. */
  readonly incidentId: string;
  readonly service: string;
  readonly type: string;
  readonly sampleType: string;
  profileId: string;
  /** When the rise began; null if that is not known. */
  readonly beganAt: Timestamp | null;
  readonly openedAt: Timestamp;
  resolvedAt: Timestamp | null;
  previousValue: number;
  currentValue: number;
  /** Fraction. */
  increase: number;
  readonly baselineFrom: Timestamp;
  readonly baselineTo: Timestamp;
  currentFrom: Timestamp;
  currentTo: Timestamp;
  /** JSON: the functions that grew most. */
  functions: string;
  /** JSON: the reference that the open alert is compared with. */
  readonly reference: string;
  /**
   * JSON: a release near its beginning, whether requests are known, and the tags in which the rise is. null for alerts of
   * earlier versions.
   */
  circumstances: string | null;
  /** When it opened while it was muted, so that nothing was sent; null if it was not muted. */
  readonly withheldAt: Timestamp | null;
  /** When it was no longer muted, and its first message was due; null if it is still withheld, or never was. */
  unmutedAt: Timestamp | null;
  /** The rule that opened it; null if the detector did. The rule may be deleted. */
  readonly ruleId: string | null;
  /** JSON: the rule as it was when the alert opened; null if the detector opened it. */
  rule: string | null;
  /** That of the rule; null if the increase decides. */
  readonly severity: RuleSeverity | null;
}

type RuleSeverity = "critical" | "warning" | "info";

/** A threshold that people set. */
interface AlertRulesTable {
  readonly id: string;
  readonly orgId: string;
  name: string;
  service: string;
  signal: RuleSignal;
  /** null if the signal is of requests; so of the sample type. */
  profileType: ProfileType | null;
  sampleType: string | null;
  /** Method and path, or a path alone; null for the requests of all routes. */
  route: string | null;
  /** JSON: names and values that profiles must have. */
  tags: string;
  comparison: RuleComparison;
  threshold: number;
  minutes: number;
  severity: RuleSeverity;
  isEnabled: Flag;
  readonly createdBy: string | null;
  readonly createdAt: Timestamp;
  /** When anything but the name changed last: an alert that opened before is about another rule. */
  definedAt: Timestamp;
}

interface AlertRuleProgressTable {
  readonly orgId: string;
  /** The rules were evaluated up to here. */
  evaluatedTo: Timestamp;
}

/** Acknowledgement and acceptance of an alert. */
interface AlertHandlingTable {
  readonly orgId: string;
  readonly alertId: string;
  acknowledgedBy: string | null;
  acknowledgedAt: Timestamp | null;
  expectedBy: string | null;
  /** When its level became the one to compare with. */
  expectedAt: Timestamp | null;
}

/** The sensitivity of the alerts of a service, stored by the process that judges it. */
interface AlertCoverageTable {
  readonly orgId: string;
  readonly service: string;
  judgedAt: Timestamp;
  /** JSON: see stored-coverage.ts. */
  coverage: string;
}

interface AlertMutesTable {
  readonly id: string;
  readonly orgId: string;
  /** null: every one; so of the type. */
  readonly service: string | null;
  readonly type: string | null;
  /** JSON: names and values that profiles must have. */
  readonly tags: string;
  readonly reason: string;
  readonly mutedBy: string | null;
  readonly createdAt: Timestamp;
  readonly startsAt: Timestamp;
  /** null: until it is ended. */
  until: Timestamp | null;
  /** JSON: weekdays, times and time zone of a mute that recurs; null if it does not. */
  readonly schedule: string | null;
}

interface AlertProgressTable {
  readonly orgId: string;
  /** Profiles up to here were judged. */
  evaluatedTo: Timestamp;
  /** The time of that evaluation: later uploads may belong to a time before `evaluatedTo`. */
  lookedAt: Timestamp;
}

interface AlertSettingsTable {
  readonly orgId: string;
  /** 1: the secrets in `targets` are encrypted. */
  isSealed: ColumnType<Flag, Flag | undefined>;
  /** JSON: see delivery-targets.ts. */
  targets: string;
  updatedAt: Timestamp;
}

/** One for each alert, event and channel. A message lists all signals of the alert's incident. */
interface AlertDeliveriesTable {
  readonly id: string;
  readonly orgId: string;
  readonly alertId: string;
  readonly event: "opened" | "updated" | "resolved";
  readonly channel: AlertChannel;
  status: "due" | "delivered" | "failed";
  attempts: number;
  nextAttemptAt: Timestamp;
  lastError: string | null;
  readonly createdAt: Timestamp;
  deliveredAt: Timestamp | null;
}

/** The person who takes care of an incident; no row if it is assigned to nobody. */
interface IncidentAssignmentsTable {
  readonly orgId: string;
  readonly incidentId: string;
  assignedTo: string;
  assignedAt: Timestamp;
}

interface IncidentCommentsTable {
  readonly id: string;
  readonly orgId: string;
  readonly incidentId: string;
  /** null if the account was deleted. */
  readonly writtenBy: string | null;
  readonly createdAt: Timestamp;
  readonly text: string;
}

/** The schedule of the summary of incidents; no row if it is off. */
interface AlertDigestsTable {
  readonly orgId: string;
  frequency: "daily" | "weekly";
  hourUtc: number;
  /** 0 is Sunday. */
  weekday: number;
  /** JSON: names of channels. */
  channels: string;
  isSentWhenEmpty: Flag;
  /** When the next one is due. */
  nextAt: Timestamp;
  /** The end of the time that was summed up. */
  coveredTo: Timestamp;
}

/** One for each digest and channel. */
interface DigestDeliveriesTable {
  readonly id: string;
  readonly orgId: string;
  readonly channel: DigestChannel;
  /** End of the covered time. */
  readonly coveredTo: Timestamp;
  /** JSON: title, text and link, written once. */
  readonly message: string;
  status: "due" | "delivered" | "failed";
  attempts: number;
  nextAttemptAt: Timestamp;
  lastError: string | null;
}
