export * from "./accounts/calls.ts";
export * from "./alerts/calls.ts";
export * from "./alerts/channels.ts";
export * from "./alerts/links.ts";
export * from "./analysis/calls.ts";
export {
  type Access,
  type Call,
  demoPlaceholder,
  type Method,
  roles,
  sessionEndedMessage,
  toPath,
} from "./base/call.ts";
export * from "./base/failure-status.ts";
export * from "./base/limits.ts";
export type { DisplayType, GraphType, ProfileType, StoredType } from "./base/profile-types.ts";
export * from "./base/profile-types.ts";
export * from "./base/readable.ts";
export * from "./base/time.ts";
export * from "./charts/calls.ts";
export * from "./graphs/calls.ts";
export * from "./ingest/calls.ts";
export * from "./operation/calls.ts";
export type { AuditEvent } from "./organizations/audit-events.ts";
export * from "./organizations/calls.ts";
export * from "./organizations/source-url.ts";
export * from "./profiles/calls.ts";
export type * from "./schemas.ts";
