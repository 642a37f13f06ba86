import type { AuditEvent, Call, Endpoint, ReplyOf } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import { anyEndpointOf } from "@flamekeep/contract/schemas";
import type { Actor, Context } from "#context";
import type { AuditedEvent } from "./audit-log.ts";

interface MadeCall {
  readonly actor: Actor | null;
  readonly input: object;
}

interface AuditedCall {
  readonly event: AuditEvent;
  readonly target?: (input: object, reply: unknown) => string;
}

/** Calls that succeed with an entry in the audit log. Other events are recorded where they happen. */
const auditedCalls = new Map<Endpoint, AuditedCall>();

function audit<C extends Call>(
  call: C,
  event: AuditEvent,
  target?: (input: calls.InputOf<C>, reply: ReplyOf<C>) => string,
): void {
  auditedCalls.set(anyEndpointOf(call), {
    event,
    ...(target && { target: target as AuditedCall["target"] & {} }),
  });
}

audit(calls.register, "account.registered");
audit(calls.endSession, "session.revoked", ({ id }) => id);
audit(calls.endSessions, "session.revoked", () => "all sessions");
audit(calls.switchOrganization, "session.moved");
audit(calls.changePassword, "password.changed");
audit(calls.confirmTotp, "totp.added");
audit(calls.removeTotp, "totp.removed");
audit(calls.addPasskey, "passkey.added", (_, { passkey }) => passkey.name);
audit(calls.renamePasskey, "passkey.renamed", (_, { passkey }) => passkey.name);
audit(calls.removePasskey, "passkey.removed", (_, { passkey }) => passkey.name);
audit(calls.replaceRecoveryCodes, "recovery_codes.replaced");
audit(calls.finishIdentityLink, "identity.linked", (_, { identity }) => identity.issuer);
audit(calls.unlinkIdentity, "identity.unlinked", (_, { identity }) => identity.issuer);
audit(calls.createApiKey, "key.created", (_, { api_key }) => created(api_key));
audit(calls.analyzeProfile, "analysis.started", ({ id }) => `profile ${id}`);
audit(calls.analyzeService, "analysis.started", ({ service }) => `service ${service}`);
audit(calls.openProfileFile, "profile.opened", (_, { profile_id }) => profile_id);
audit(
  calls.updateFinding,
  "finding.changed",
  (_, { finding: { service, issue, state, owner } }) =>
    `${service}: ${issue} (${state}, ${owner?.name ?? "no owner"})`,
);
audit(calls.updateResourcePrice, "price.changed", (_, { price }) =>
  price === null
    ? "no price"
    : `${price.per_core_month} ${price.currency} a core, ${price.per_gb_month} ${price.currency} a GB`,
);
audit(calls.downloadProfile, "profile.exported", ({ id }) => id);
audit(calls.exportAuditEntries, "audit.exported");
audit(calls.updateRetention, "retention.changed", (_, { retention_days: days }) =>
  days === null ? "as long as the server" : `${days} days`,
);
audit(calls.deleteService, "service.deleted", ({ service }) => service);
audit(calls.updateAlertSettings, "alerts.settings_changed");
audit(calls.updateAlertDigest, "alerts.settings_changed");
audit(calls.expectAlert, "alert.expected", (_, { alert: { service, profile_type, expected } }) =>
  expected === undefined ? `${service}, ${profile_type}, taken back` : `${service}, ${profile_type}`,
);
audit(
  calls.assignIncident,
  "incident.assigned",
  (_, { incident: { service, assignee } }) => `${service}, ${assignee?.name ?? "nobody"}`,
);
audit(calls.commentIncident, "incident.commented", (_, { incident }) => incident.service);
audit(
  calls.removeIncidentComment,
  "incident.comment_removed",
  (_, { incident, comment: { by, at } }) => `${incident.service}, by ${by ?? "a former member"}, ${at}`,
);
audit(calls.createAlertRule, "alert_rule.created", (_, { rule }) => ruled(rule));
audit(calls.updateAlertRule, "alert_rule.changed", (_, { rule }) => ruled(rule));
audit(calls.removeAlertRule, "alert_rule.removed", (_, { rule }) => ruled(rule));
audit(calls.createDashboard, "dashboard.created", (_, { name }) => name);
audit(calls.saveDashboard, "dashboard.changed", (_, { name, version }) => `${name}, version ${version}`);
audit(
  calls.restoreDashboard,
  "dashboard.restored",
  ({ restored_version: from }, { name, version }) => `${name}, version ${from} as version ${version}`,
);
audit(calls.removeDashboard, "dashboard.removed", (_, { name }) => name);
audit(calls.createTarget, "target.created", (_, { target }) => target.name);
audit(calls.updateTarget, "target.changed", (_, { target }) => target.name);
audit(calls.removeTarget, "target.removed", (_, { name }) => name);
audit(calls.testTarget, "target.tested", ({ name }) => name);
audit(calls.updateSourceLink, "source_link.changed", ({ service }) => service);
audit(calls.removeSourceLink, "source_link.changed", ({ service }) => service);
audit(calls.renameOrganization, "organization.renamed", (_, { name }) => name);
audit(calls.requireSecondFactor, "second_factor.requirement_changed", (_, { requires_second_factor }) =>
  requires_second_factor ? "required" : "not required",
);
audit(calls.transferOrganization, "organization.transferred", (_, { member }) => member.email);
audit(calls.changeMemberRole, "member.role_changed", (_, { member }) => `${member.email}, ${member.role}`);
audit(calls.removeMember, "member.removed", (_, { member }) => member.email);
audit(calls.leaveOrganization, "member.left");
audit(calls.createInvitation, "invitation.created", (_, { invitation }) => invited(invitation));
audit(calls.revokeInvitation, "invitation.revoked", (_, { invitation }) => invited(invitation));
audit(calls.createSharedLink, "link.created", (_, { shared_link }) => shared(shared_link));
audit(calls.revokeSharedLink, "link.revoked", (_, { shared_link }) => shared(shared_link));
audit(calls.allowSharedLinks, "sharing.changed", (_, { is_allowed }) =>
  is_allowed ? "public links allowed" : "public links not allowed",
);

function shared({ kind, service, type, expires_at }: calls.SharedLink): string {
  return `${kind} of ${service}, ${type}, until ${expires_at.slice(0, 10)}`;
}

function ruled({
  name,
  service,
  comparison,
  threshold,
  unit,
  is_enabled: isEnabled,
}: calls.AlertRule): string {
  return `${name} (${service}, ${comparison} ${threshold} ${unit}${isEnabled ? "" : ", off"})`;
}

function created({ name, scope, expires_at: expiry }: calls.ApiKey): string {
  return `${name} (${scope}${expiry === null ? "" : `, until ${expiry.slice(0, 10)}`})`;
}

function invited({ email, role }: calls.Invitation): string {
  return `${email ?? "anybody with the link"}, ${role}`;
}

/** Calls that change something, or end a session, and are not audited. A test demands a decision about each new call. */
export const unauditedChanges: ReadonlySet<Endpoint> = new Set<Endpoint>(
  [
    // Audited where they happen: the call alone does not say who it is about, or whether it did anything.
    ...[calls.logout, calls.refreshToken, calls.forgotPassword, calls.resetPassword, calls.verifyEmail],
    ...[calls.acceptInvitation, calls.revokeApiKey, calls.setAccountActive, calls.createResetLink],
    ...[calls.muteAlerts, calls.unmuteAlerts, calls.endMute],
    ...[calls.removeSecondFactors, calls.transferOperatorRole, calls.setOrganizationLimits],
    ...[calls.login, calls.finishLogin, calls.loginWithPasskey, calls.finishSingleSignOn],
    // Nothing is in use before it is confirmed.
    ...[calls.startTotp, calls.startPasskey, calls.startPasskeyLogin, calls.startSingleSignOn],
    calls.startIdentityLink,
    // They only read.
    ...[calls.readSharedView, calls.readSharedGraph, calls.previewAlertRule, calls.findAccount],
    // The log goes with the organization. The server's log has it.
    calls.deleteOrganization,
    // It concerns no single organization. The server's log has it.
    calls.setStoragePrice,
    // About nobody's access, and easy to do again.
    ...[calls.sendVerification, calls.readInvitation],
    ...[calls.acknowledgeAlert, calls.acknowledgeIncident],
    ...[calls.testAlertDelivery, calls.askAboutAnalysis, calls.giveFeedback],
    ...[calls.createProject, calls.updateProject, calls.deleteProject],
    // Nothing of it is kept.
    calls.sendToDatadogAgent,
    // Nobody is signed in, and the organization of these files has no members. The server's log has it.
    calls.openFile,
  ].map(anyEndpointOf),
);

export function isAudited(endpoint: Endpoint): boolean {
  return auditedCalls.has(endpoint);
}

/** Records a call that succeeded. Visitors of the demo leave no entries. */
export async function auditCall(
  ctx: Context,
  endpoint: Endpoint,
  call: MadeCall,
  reply: unknown,
): Promise<void> {
  const audited = auditedCalls.get(endpoint);
  if (audited === undefined) return;
  const who = whoMade(call.actor, reply);
  if (who === undefined) return;
  const { orgId, ...actor } = who;
  const entry: AuditedEvent = {
    event: audited.event,
    actor,
    target: audited.target?.(call.input, reply) ?? null,
  };
  await ctx.audit.record(orgId, entry);
}

/** A registration, a switch and an accepted invitation are about the organization in which the session is afterwards. */
function whoMade(
  actor: Actor | null,
  reply: unknown,
): (AuditedEvent["actor"] & { readonly orgId: string }) | undefined {
  if (hasUser(reply)) return { orgId: reply.user.organization.id, kind: "user", id: reply.user.id };
  switch (actor?.kind) {
    case "user":
      return { orgId: actor.orgId, kind: "user", id: actor.userId };
    case "key":
      return { orgId: actor.orgId, kind: "key", id: actor.keyId };
    default:
      return undefined;
  }
}

function hasUser(reply: unknown): reply is { readonly user: calls.User } {
  return typeof reply === "object" && reply !== null && "user" in reply;
}
