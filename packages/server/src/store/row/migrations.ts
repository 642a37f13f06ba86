import type { Migration, MigrationProvider } from "kysely/migration";
import * as accounts from "./migrations/0001-accounts.ts";
import * as alerts from "./migrations/0002-alerts.ts";
import * as projects from "./migrations/0003-projects.ts";
import * as removals from "./migrations/0004-removals.ts";
import * as finishedRemovals from "./migrations/0005-finished-removals.ts";
import * as signInLimits from "./migrations/0006-sign-in-limits.ts";
import * as sealedDelivery from "./migrations/0007-sealed-delivery.ts";
import * as deliveryTargets from "./migrations/0008-delivery-targets.ts";
import * as muteEnds from "./migrations/0009-mute-ends.ts";
import * as analyses from "./migrations/0010-analyses.ts";
import * as keyScopes from "./migrations/0011-key-scopes.ts";
import * as alertBeginnings from "./migrations/0012-alert-beginnings.ts";
import * as sourceLinks from "./migrations/0013-source-links.ts";
import * as mailTokens from "./migrations/0014-mail-tokens.ts";
import * as organizations from "./migrations/0015-organizations.ts";
import * as audit from "./migrations/0016-audit.ts";
import * as keyUsage from "./migrations/0017-key-usage.ts";
import * as secondFactors from "./migrations/0018-second-factors.ts";
import * as sharedLinks from "./migrations/0019-shared-links.ts";
import * as passkeys from "./migrations/0020-passkeys.ts";
import * as identities from "./migrations/0021-identities.ts";
import * as alertHandling from "./migrations/0023-alert-handling.ts";
import * as incidents from "./migrations/0024-incidents.ts";
import * as mutes from "./migrations/0028-mutes.ts";
import * as withheldAlerts from "./migrations/0031-withheld-alerts.ts";
import * as alertCoverage from "./migrations/0033-alert-coverage.ts";
import * as requiredSecondFactor from "./migrations/0034-required-second-factor.ts";
import * as unlinkedIdentities from "./migrations/0035-unlinked-identities.ts";
import * as incidentActions from "./migrations/0036-incident-actions.ts";
import * as alertDigests from "./migrations/0038-alert-digests.ts";
import * as alertRules from "./migrations/0039-alert-rules.ts";

/** Forward only, one file per feature, in the order of their numbers. */
const migrations: Record<string, Migration> = {
  "0001-accounts": accounts,
  "0002-alerts": alerts,
  "0003-projects": projects,
  "0004-removals": removals,
  "0005-finished-removals": finishedRemovals,
  "0006-sign-in-limits": signInLimits,
  "0007-sealed-delivery": sealedDelivery,
  "0008-delivery-targets": deliveryTargets,
  "0009-mute-ends": muteEnds,
  "0010-analyses": analyses,
  "0011-key-scopes": keyScopes,
  "0012-alert-beginnings": alertBeginnings,
  "0013-source-links": sourceLinks,
  "0014-mail-tokens": mailTokens,
  "0015-organizations": organizations,
  "0016-audit": audit,
  "0017-key-usage": keyUsage,
  "0018-second-factors": secondFactors,
  "0019-shared-links": sharedLinks,
  "0020-passkeys": passkeys,
  "0021-identities": identities,
  "0023-alert-handling": alertHandling,
  "0024-incidents": incidents,
  "0028-mutes": mutes,
  "0031-withheld-alerts": withheldAlerts,
  "0033-alert-coverage": alertCoverage,
  "0034-required-second-factor": requiredSecondFactor,
  "0035-unlinked-identities": unlinkedIdentities,
  "0036-incident-actions": incidentActions,
  "0038-alert-digests": alertDigests,
  "0039-alert-rules": alertRules,
};

export const rowMigrations: MigrationProvider = {
  getMigrations: () => Promise.resolve(migrations),
};
