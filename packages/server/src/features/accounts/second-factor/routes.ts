import {
  addPasskey as addPasskeyCall,
  confirmTotp as confirmTotpCall,
  getSecondFactors as getSecondFactorsCall,
  removePasskey as removePasskeyCall,
  removeTotp as removeTotpCall,
  renamePasskey as renamePasskeyCall,
  replaceRecoveryCodes as replaceRecoveryCodesCall,
  startPasskey as startPasskeyCall,
  startTotp as startTotpCall,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { getSecondFactors } from "./methods.ts";
import { addPasskey, removePasskey, renamePasskey, startPasskey } from "./passkeys/manage.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { confirmTotp, removeTotp, startTotp } from "./totp.ts";

const changesMax = 30;

export function registerSecondFactors(app: FastifyInstance, ctx: Context): void {
  const options = { rate: perMinute(app, changesMax) };
  serve(app, ctx, getSecondFactorsCall, ({ actor }) => getSecondFactors(ctx, actor));
  serve(app, ctx, startTotpCall, ({ actor, body }) => startTotp(ctx, actor, body), options);
  serve(app, ctx, confirmTotpCall, ({ actor, body }) => confirmTotp(ctx, actor, body), options);
  serve(app, ctx, removeTotpCall, ({ actor, body }) => removeTotp(ctx, actor, body), options);
  serve(
    app,
    ctx,
    replaceRecoveryCodesCall,
    ({ actor, body }) => replaceRecoveryCodes(ctx, actor, body),
    options,
  );
  serve(app, ctx, startPasskeyCall, ({ actor, body }) => startPasskey(ctx, actor, body), options);
  serve(app, ctx, addPasskeyCall, ({ actor, body }) => addPasskey(ctx, actor, body), options);
  serve(
    app,
    ctx,
    removePasskeyCall,
    ({ actor, params, body }) => removePasskey(ctx, actor, { ...params, ...body }),
    options,
  );
  serve(
    app,
    ctx,
    renamePasskeyCall,
    ({ actor, params, body }) => renamePasskey(ctx, actor, { ...params, ...body }),
    options,
  );
}
