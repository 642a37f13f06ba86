import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { getSecondFactors, replaceRecoveryCodes } from "./methods.ts";
import { addPasskey, removePasskey, renamePasskey, startPasskey } from "./passkeys.ts";
import { confirmTotp, removeTotp, startTotp } from "./totp.ts";

const changesMax = 30;

export function registerSecondFactors(app: FastifyInstance, ctx: Context): void {
  const options = { rate: perMinute(app, changesMax) };
  serve(app, ctx, calls.getSecondFactors, getSecondFactors);
  serve(app, ctx, calls.startTotp, startTotp, options);
  serve(app, ctx, calls.confirmTotp, confirmTotp, options);
  serve(app, ctx, calls.removeTotp, removeTotp, options);
  serve(app, ctx, calls.replaceRecoveryCodes, replaceRecoveryCodes, options);
  serve(app, ctx, calls.startPasskey, startPasskey, options);
  serve(app, ctx, calls.addPasskey, addPasskey, options);
  serve(app, ctx, calls.removePasskey, removePasskey, options);
  serve(app, ctx, calls.renamePasskey, renamePasskey, options);
}
