import { call } from "#base/call.ts";

export const listOrganizations = call("GET", "/api/v1/protected/user/organizations");
export const switchOrganization = call("POST", "/api/v1/protected/user/organizations/{id}/switch");
export const findOrganizationOf = call("GET", "/api/v1/protected/user/organization-of/{kind}/{id}");
export const leaveOrganization = call("POST", "/api/v1/protected/user/leave-organization");
export const getOrganization = call("GET", "/api/v1/protected/organization");
export const renameOrganization = call("PATCH", "/api/v1/protected/organization");
export const getOrganizationLimits = call("GET", "/api/v1/protected/organization/limits");
export const requireSecondFactor = call("PUT", "/api/v1/protected/organization/second-factor");
export const deleteOrganization = call("DELETE", "/api/v1/protected/organization");
export const organizationFigures = call("GET", "/api/v1/protected/organization/figures");
export const organizationRequests = call("GET", "/api/v1/protected/organization/requests");
export const listMembers = call("GET", "/api/v1/protected/organization/members");
export const changeMemberRole = call("PATCH", "/api/v1/protected/organization/members/{id}");
export const removeMember = call("DELETE", "/api/v1/protected/organization/members/{id}");
export const transferOrganization = call("POST", "/api/v1/protected/organization/members/{id}/transfer");
export const listInvitations = call("GET", "/api/v1/protected/organization/invitations");
export const createInvitation = call("POST", "/api/v1/protected/organization/invitations");
export const revokeInvitation = call("DELETE", "/api/v1/protected/organization/invitations/{id}");
export const readInvitation = call("POST", "/auth/invitation", "none");
export const acceptInvitation = call("POST", "/api/v1/protected/user/invitations");
export const listApiKeys = call("GET", "/api/v1/protected/api-keys");
export const readApiKeyUsage = call("GET", "/api/v1/protected/api-keys/{id}/usage");
export const createApiKey = call("POST", "/api/v1/protected/api-keys");
export const revokeApiKey = call("DELETE", "/api/v1/protected/api-keys/{id}");
export const listAuditEntries = call("GET", "/api/v1/protected/organization/audit");
export const exportAuditEntries = call("GET", "/api/v1/protected/organization/audit/export");
export const listSourceLinks = call("GET", "/api/v1/protected/source-links");
export const updateSourceLink = call("PUT", "/api/v1/protected/services/{service}/source-link");
export const removeSourceLink = call("DELETE", "/api/v1/protected/services/{service}/source-link");
export const getRetention = call("GET", "/api/v1/protected/organization/retention");
export const updateRetention = call("PUT", "/api/v1/protected/organization/retention");
export const deleteService = call("DELETE", "/api/v1/protected/services/{service}");
export const listProjects = call("GET", "/api/v1/protected/projects");
export const getProject = call("GET", "/api/v1/protected/projects/{id}");
export const projectFigures = call("GET", "/api/v1/protected/projects/{id}/figures");
export const projectRequests = call("GET", "/api/v1/protected/projects/{id}/requests");
export const createProject = call("POST", "/api/v1/protected/projects");
export const updateProject = call("PATCH", "/api/v1/protected/projects/{id}");
export const deleteProject = call("DELETE", "/api/v1/protected/projects/{id}");

/** `activity`: the latest first. */
export const projectOrders = ["activity", "name"] as const;

export const projectStatuses = ["active", "inactive", "archived"] as const;
