import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import type { OpenAlertReads } from "#store/profiles/open-alerts.ts";
import type { SenderStates } from "#store/profiles/sending/sender-states.ts";
import { getAlertCoverage } from "./coverage/operations.ts";
import * as digest from "./digest/operations.ts";
import * as handling from "./handling.ts";
import * as incidentActions from "./incidents/actions.ts";
import * as incidents from "./incidents/operations.ts";
import { registerAlertJob } from "./job.ts";
import * as mutes from "./mutes/operations.ts";
import * as operations from "./operations.ts";
import * as rules from "./rules/operations.ts";
import { previewAlertRule } from "./rules/operations.ts";
import { SilenceWatch } from "./silence/silence-watch.ts";
import {
  alertsEvaluatedAt,
  countUnmutedAlerts,
  countUnmutedByService,
  unmutedAlerts,
} from "./store/queries.ts";

/** Test messages per minute and person: each makes this server call out. */
const testsPerMinute = 10;

/** Proposals of mutes per minute and person: each compares the alerts of five weeks. */
const proposalsPerMinute = 30;

/** The alerts of an organization, for other features. */
interface AlertReads {
  readonly openAlerts: OpenAlertReads;
  /** The time of the last evaluation; undefined before the first one. */
  evaluatedAt(orgId: string): Promise<Date | undefined>;
}

export function registerAlerts(app: FastifyInstance, ctx: Context, senderStates: SenderStates): AlertReads {
  serve(app, ctx, calls.listAlerts, operations.listAlerts);
  serve(app, ctx, calls.listIncidents, incidents.listIncidents);
  serve(app, ctx, calls.getIncident, incidents.getIncident);
  serve(app, ctx, calls.getAlertCoverage, getAlertCoverage);
  serve(app, ctx, calls.acknowledgeIncident, incidentActions.acknowledgeIncident);
  serve(app, ctx, calls.assignIncident, incidentActions.assignIncident);
  serve(app, ctx, calls.commentIncident, incidentActions.commentIncident);
  serve(app, ctx, calls.removeIncidentComment, incidentActions.removeIncidentComment);
  serve(app, ctx, calls.listAlertRules, rules.listAlertRules);
  serve(app, ctx, calls.createAlertRule, rules.createAlertRule);
  serve(app, ctx, calls.previewAlertRule, previewAlertRule);
  serve(app, ctx, calls.updateAlertRule, rules.updateAlertRule);
  serve(app, ctx, calls.removeAlertRule, rules.removeAlertRule);
  serve(app, ctx, calls.listMutes, mutes.listMutes);
  serve(app, ctx, calls.listMuteProposals, mutes.listMuteProposals, {
    rate: perMinute(app, "proposals of rules", proposalsPerMinute),
  });
  serve(app, ctx, calls.muteAlerts, mutes.muteAlerts);
  serve(app, ctx, calls.unmuteAlerts, mutes.unmuteAlerts);
  serve(app, ctx, calls.endMute, mutes.endMute);
  serve(app, ctx, calls.acknowledgeAlert, handling.acknowledgeAlert);
  serve(app, ctx, calls.expectAlert, handling.expectAlert);
  serve(app, ctx, calls.getAlertSettings, operations.getAlertSettings);
  serve(app, ctx, calls.updateAlertSettings, operations.updateAlertSettings);
  serve(app, ctx, calls.testAlertDelivery, operations.testAlertDelivery, {
    rate: perMinute(app, "tests of channels", testsPerMinute),
  });
  serve(app, ctx, calls.getAlertDigest, digest.getAlertDigest);
  serve(app, ctx, calls.updateAlertDigest, digest.updateAlertDigest);
  registerAlertJob(app, { ...ctx, silence: new SilenceWatch(ctx, senderStates) });
  return {
    openAlerts: {
      list: (orgId, services) => unmutedAlerts(ctx.rows, orgId, ctx.now(), services),
      byService: (orgId) => countUnmutedByService(ctx.rows, orgId, ctx.now()),
      count: (orgId) => countUnmutedAlerts(ctx.rows, orgId, ctx.now()),
    },
    evaluatedAt: (orgId) => alertsEvaluatedAt(ctx.rows, orgId),
  };
}
