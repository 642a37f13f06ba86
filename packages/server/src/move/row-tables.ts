/** The tables of the row store, and which of them move. */

interface RowTable {
  readonly name: string;
  /** How the export of one organization takes its rows: as they are, or not at all, for a reason. */
  readonly inExport: "rows" | { readonly leftOut: string };
}

const leftOut = (reason: string) => ({ leftOut: reason });
const ofPeople = leftOut("It belongs to people, who may be in other organizations.");
const ofServer = leftOut("It is a state of the installation.");
const ofQueue = leftOut("Another installation must not send these messages again.");

/** In an order in which a row comes after the rows that it refers to. Names of the database. */
export const rowTables: readonly RowTable[] = [
  { name: "organizations", inExport: "rows" },
  { name: "organization_limits", inExport: leftOut("The operator of each installation sets them.") },
  { name: "storage_price", inExport: ofServer },
  { name: "users", inExport: leftOut("People are exported with name, address and role, see people.ts.") },
  { name: "memberships", inExport: leftOut("See people.ts.") },
  { name: "invitations", inExport: leftOut("Their links have the address of the former installation.") },
  { name: "operators", inExport: ofServer },
  { name: "organization_removals", inExport: ofServer },
  { name: "sessions", inExport: ofPeople },
  { name: "refresh_tokens", inExport: ofPeople },
  { name: "mail_tokens", inExport: ofPeople },
  { name: "known_addresses", inExport: ofPeople },
  { name: "totp_secrets", inExport: ofPeople },
  { name: "recovery_codes", inExport: ofPeople },
  { name: "sign_in_challenges", inExport: ofPeople },
  { name: "passkeys", inExport: ofPeople },
  { name: "passkey_challenges", inExport: ofPeople },
  { name: "identities", inExport: ofPeople },
  { name: "shared_links", inExport: "rows" },
  { name: "opened_files", inExport: leftOut("They are of people without an account, and end after a day.") },
  { name: "api_keys", inExport: "rows" },
  { name: "api_key_usage", inExport: "rows" },
  { name: "api_key_refusals", inExport: "rows" },
  { name: "audit_entries", inExport: "rows" },
  { name: "projects", inExport: "rows" },
  { name: "derived_projects", inExport: "rows" },
  { name: "source_links", inExport: "rows" },
  { name: "service_removals", inExport: "rows" },
  { name: "dashboards", inExport: "rows" },
  { name: "dashboard_versions", inExport: "rows" },
  {
    name: "targets",
    inExport: leftOut(
      "Their headers are encrypted with the installation's secret, and their addresses are of its network.",
    ),
  },
  { name: "target_states", inExport: leftOut("The process that scrapes writes them again.") },
  { name: "alert_rules", inExport: "rows" },
  { name: "alert_rule_progress", inExport: "rows" },
  { name: "alerts", inExport: "rows" },
  { name: "alert_progress", inExport: "rows" },
  { name: "alert_coverage", inExport: "rows" },
  { name: "alert_handling", inExport: "rows" },
  { name: "alert_mutes", inExport: "rows" },
  { name: "alert_settings", inExport: leftOut("Its webhooks are encrypted with the installation's secret.") },
  { name: "alert_deliveries", inExport: ofQueue },
  { name: "alert_digests", inExport: leftOut("Its channels are in alert_settings.") },
  { name: "digest_deliveries", inExport: ofQueue },
  { name: "incident_assignments", inExport: "rows" },
  { name: "incident_comments", inExport: "rows" },
  { name: "analyses", inExport: "rows" },
  { name: "recommendation_feedback", inExport: "rows" },
  { name: "analysis_usage", inExport: "rows" },
  { name: "findings", inExport: "rows" },
];

/** Tables whose rows end within minutes, or are of the processes that use the database: they stay where they are. */
export const passingTables: readonly string[] = [
  "cluster_members",
  "job_leases",
  "token_buckets",
  "installation_facts",
  "change_counters",
];

export const exportedTables: readonly string[] = rowTables
  .filter(({ inExport }) => inExport === "rows")
  .map(({ name }) => name);

/** The value by which a table's rows are those of an organization. */
export function keyOf(table: string, orgId: string): Readonly<Record<string, string>> {
  return table === "organizations" ? { id: orgId } : { org_id: orgId };
}

/** Columns with the id of a user. Rows stay without it where the user is not in the organization, if `isOptional`. */
export const personColumns: Readonly<
  Record<string, readonly { readonly column: string; readonly isOptional: boolean }[]>
> = {
  shared_links: [{ column: "created_by", isOptional: false }],
  api_keys: [{ column: "created_by", isOptional: true }],
  dashboard_versions: [{ column: "saved_by", isOptional: true }],
  alert_rules: [{ column: "created_by", isOptional: true }],
  alert_handling: [
    { column: "acknowledged_by", isOptional: true },
    { column: "expected_by", isOptional: true },
  ],
  alert_mutes: [{ column: "muted_by", isOptional: true }],
  incident_assignments: [{ column: "assigned_to", isOptional: false }],
  incident_comments: [{ column: "written_by", isOptional: true }],
  analyses: [{ column: "created_by", isOptional: true }],
  recommendation_feedback: [{ column: "given_by", isOptional: true }],
  findings: [{ column: "owner_id", isOptional: true }],
};
