import {
  getAlertSettings,
  getOrganization,
  getRetention,
  getSecondFactors,
  listApiKeys,
  listAuditEntries,
  listIdentities,
  listInvitations,
  listSessions,
  type RequestOf,
  readApiKeyUsage,
  userProfile,
} from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";

export function apiKeysQuery(page: number) {
  return callQuery(
    ["api-keys", page],
    listApiKeys,
    { query: { page } },
    { placeholderData: keepPreviousData },
  );
}

export function keyUsageQuery(id: string) {
  return callQuery(["api-key-usage", id], readApiKeyUsage, { params: { id } }, { staleTime: 0 });
}

export const accountQuery = callQuery(["account"], userProfile);

export const secondFactorsQuery = callQuery(["second-factors"], getSecondFactors);

export const identitiesQuery = callQuery(["identities"], listIdentities);

export const sessionsQuery = callQuery(["sessions"], listSessions);

export const invitationsQuery = callQuery(["invitations"], listInvitations);

export function auditQuery(query: RequestOf<typeof listAuditEntries>["query"]) {
  return callQuery(["audit", query], listAuditEntries, { query });
}

export const organizationQuery = callQuery(["organization"], getOrganization);

export const alertSettingsQuery = callQuery(["alert-settings"], getAlertSettings);

export const retentionQuery = callQuery(["retention"], getRetention);
