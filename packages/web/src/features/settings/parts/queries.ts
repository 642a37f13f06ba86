import {
  getAlertSettings,
  getOrganization,
  getRetention,
  getSecondFactors,
  limits,
  listApiKeys,
  listAuditEntries,
  listIdentities,
  listInvitations,
  listServices,
  listSessions,
  type RequestOf,
  readApiKeyUsage,
  userProfile,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

export function apiKeysQuery(page: number) {
  return queryOptions({
    queryKey: ["api-keys", page],
    queryFn: ({ signal }) => call(listApiKeys, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function keyUsageQuery(id: string) {
  return queryOptions({
    queryKey: ["api-key-usage", id],
    queryFn: ({ signal }) => call(readApiKeyUsage, { params: { id }, signal }),
    staleTime: 0,
  });
}

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => call(userProfile, { signal }),
});

export const secondFactorsQuery = queryOptions({
  queryKey: ["second-factors"],
  queryFn: ({ signal }) => call(getSecondFactors, { signal }),
});

export const identitiesQuery = queryOptions({
  queryKey: ["identities"],
  queryFn: ({ signal }) => call(listIdentities, { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => call(listSessions, { signal }),
});

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => call(listInvitations, { signal }),
});

export function auditQuery(query: RequestOf<typeof listAuditEntries>["query"]) {
  return queryOptions({
    queryKey: ["audit", query],
    queryFn: ({ signal }) => call(listAuditEntries, { query, signal }),
  });
}

export const organizationQuery = queryOptions({
  queryKey: ["organization"],
  queryFn: ({ signal }) => call(getOrganization, { signal }),
});

export const alertSettingsQuery = queryOptions({
  queryKey: ["alert-settings"],
  queryFn: ({ signal }) => call(getAlertSettings, { signal }),
});

export const retentionQuery = queryOptions({
  queryKey: ["retention"],
  queryFn: ({ signal }) => call(getRetention, { signal }),
});

/** Every service that has data, whatever its age. */
export const allServicesQuery = queryOptions({
  queryKey: ["services", "all"],
  queryFn: ({ signal }) =>
    call(listServices, { query: { since: `${limits.sinceDaysMax}d`, include_totals: "true" }, signal }),
});
