import {
  acknowledgeAlert,
  acknowledgeIncident,
  assignIncident,
  commentIncident,
  createAlertRule,
  endMute,
  expectAlert,
  getAlertCoverage,
  getAlertDigest,
  getAlertSettings,
  getIncident,
  listAlertRules,
  listAlerts,
  listIncidents,
  listMutes,
  muteAlerts,
  previewAlertRule,
  removeAlertRule,
  removeIncidentComment,
  testAlertDelivery,
  unmuteAlerts,
  updateAlertDigest,
  updateAlertRule,
  updateAlertSettings,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { getAlertCoverage as coverageOf } from "./coverage/operations.ts";
import * as digest from "./digest/operations.ts";
import * as handling from "./handling/operations.ts";
import * as incidentActions from "./incidents/actions/operations.ts";
import * as incidents from "./incidents/operations.ts";
import { registerAlertJob } from "./job.ts";
import * as mutes from "./mutes/operations.ts";
import * as operations from "./operations.ts";
import { unmutedAlerts } from "./queries.ts";
import * as rules from "./rules/operations.ts";
import { previewAlertRule as previewRule } from "./rules/preview.ts";
import type { AlertRow } from "./stored-alert.ts";

/** Test messages per minute and person: each makes this server call out. */
const testsPerMinute = 10;

/** Returns the function that reads an organization's open alerts without muted ones, for other features. */
export function registerAlerts(app: FastifyInstance, ctx: Context): (orgId: string) => Promise<AlertRow[]> {
  serve(app, ctx, listAlerts, ({ actor, query }) => operations.listAlerts(ctx, actor, query));
  serve(app, ctx, listIncidents, ({ actor, query }) => incidents.listIncidents(ctx, actor, query));
  serve(app, ctx, getIncident, ({ actor, params }) => incidents.getIncident(ctx, actor, params.id));
  serve(app, ctx, getAlertCoverage, ({ actor, params }) => coverageOf(ctx, actor, params.service));
  serve(app, ctx, acknowledgeIncident, ({ actor, params: { id }, body }) =>
    incidentActions.acknowledgeIncident(ctx, actor, { id, isAcknowledged: body.is_acknowledged }),
  );
  serve(app, ctx, assignIncident, ({ actor, params: { id }, body }) =>
    incidentActions.assignIncident(ctx, actor, { id, assignedTo: body.user_id }),
  );
  serve(app, ctx, commentIncident, ({ actor, params: { id }, body }) =>
    incidentActions.commentIncident(ctx, actor, { id, text: body.text }),
  );
  serve(app, ctx, removeIncidentComment, ({ actor, params: { id, comment: commentId } }) =>
    incidentActions.removeIncidentComment(ctx, actor, { id, commentId }),
  );
  serve(app, ctx, listAlertRules, ({ actor }) => rules.listAlertRules(ctx, actor));
  serve(app, ctx, createAlertRule, ({ actor, body }) => rules.createAlertRule(ctx, actor, body));
  serve(app, ctx, previewAlertRule, ({ actor, body }) => previewRule(ctx, actor, body));
  serve(app, ctx, updateAlertRule, ({ actor, params, body }) =>
    rules.updateAlertRule(ctx, actor, { id: params.id, body }),
  );
  serve(app, ctx, removeAlertRule, ({ actor, params }) => rules.removeAlertRule(ctx, actor, params.id));
  serve(app, ctx, listMutes, ({ actor }) => mutes.listMutes(ctx, actor));
  serve(app, ctx, muteAlerts, ({ actor, body }) => mutes.muteAlerts(ctx, actor, body));
  serve(app, ctx, unmuteAlerts, ({ actor, body }) => mutes.unmuteAlerts(ctx, actor, body));
  serve(app, ctx, endMute, ({ actor, params }) => mutes.endMute(ctx, actor, params.id));
  serve(app, ctx, acknowledgeAlert, ({ actor, params, body }) =>
    handling.acknowledgeAlert(ctx, actor, { id: params.id, isAcknowledged: body.is_acknowledged }),
  );
  serve(app, ctx, expectAlert, ({ actor, params, body }) =>
    body.is_expected
      ? handling.expectAlert(ctx, actor, params.id)
      : handling.takeBackExpected(ctx, actor, params.id),
  );
  serve(app, ctx, getAlertSettings, ({ actor }) => operations.getAlertSettings(ctx, actor));
  serve(app, ctx, updateAlertSettings, ({ actor, body }) => operations.updateAlertSettings(ctx, actor, body));
  serve(
    app,
    ctx,
    testAlertDelivery,
    ({ actor, body }) => operations.testAlertDelivery(ctx, actor, body.channel),
    { rate: perMinute(app, testsPerMinute) },
  );
  serve(app, ctx, getAlertDigest, ({ actor }) => digest.getAlertDigest(ctx, actor));
  serve(app, ctx, updateAlertDigest, ({ actor, body }) => digest.updateAlertDigest(ctx, actor, body));
  registerAlertJob(app, ctx);
  return (orgId) => unmutedAlerts(ctx.rows, orgId, ctx.now());
}
