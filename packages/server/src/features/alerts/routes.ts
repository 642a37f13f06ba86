import {
  acknowledgeAlert,
  expectAlert,
  getAlertSettings,
  getIncident,
  listAlerts,
  listIncidents,
  listMutes,
  muteAlerts,
  testAlertDelivery,
  unmuteAlerts,
  updateAlertSettings,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import * as handling from "./handling/operations.ts";
import * as incidents from "./incidents/operations.ts";
import { registerAlertJob } from "./job.ts";
import * as operations from "./operations.ts";
import { countOpenAlerts } from "./queries.ts";

/** Test messages per minute and person: each makes this server call out. */
const testsPerMinute = 10;

/** Returns the function that counts an organization's open alerts, for other features. */
export function registerAlerts(app: FastifyInstance, ctx: Context): (orgId: string) => Promise<number> {
  serve(app, ctx, listAlerts, ({ actor, query }) => operations.listAlerts(ctx, actor, query));
  serve(app, ctx, listIncidents, ({ actor, query }) => incidents.listIncidents(ctx, actor, query));
  serve(app, ctx, getIncident, ({ actor, params }) => incidents.getIncident(ctx, actor, params.id));
  serve(app, ctx, listMutes, ({ actor }) => operations.listMutes(ctx, actor));
  serve(app, ctx, muteAlerts, ({ actor, body }) => operations.muteAlerts(ctx, actor, body));
  serve(app, ctx, unmuteAlerts, ({ actor, body }) => operations.unmuteAlerts(ctx, actor, body));
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
  registerAlertJob(app, ctx);
  return (orgId) => countOpenAlerts(ctx.rows, orgId, ctx.now());
}
