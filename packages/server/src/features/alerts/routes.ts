import {
  getAlertSettings,
  listAlerts,
  muteAlerts,
  testAlertDelivery,
  unmuteAlerts,
  updateAlertSettings,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { countOpenAlerts } from "./alert-queries.ts";
import { registerAlertJob } from "./job.ts";
import { listAlertsOf } from "./list-alerts.ts";
import { mute, unmute } from "./mutes.ts";
import { changeSettings, showSettings, testDelivery } from "./settings.ts";

/** Test messages per minute and person: each makes this server call out. */
const testsPerMinute = 10;

/** Returns what counts an organization's open alerts, for whoever shows the number. */
export function registerAlerts(app: FastifyInstance, ctx: Context): (orgId: string) => Promise<number> {
  serve(app, ctx, listAlerts, ({ actor, query }) => listAlertsOf(ctx, actor, query));
  serve(app, ctx, muteAlerts, ({ actor, body }) => mute(ctx, actor, body));
  serve(app, ctx, unmuteAlerts, ({ actor, body }) => unmute(ctx, actor, body));
  serve(app, ctx, getAlertSettings, ({ actor }) => showSettings(ctx, actor));
  serve(app, ctx, updateAlertSettings, ({ actor, body }) => changeSettings(ctx, actor, body));
  serve(app, ctx, testAlertDelivery, ({ actor, body }) => testDelivery(ctx, actor, body.channel), {
    rate: perMinute(app, testsPerMinute),
  });
  registerAlertJob(app, ctx);
  return (orgId) => countOpenAlerts(ctx.rows, orgId);
}
