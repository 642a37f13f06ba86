import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import {
  createResetLink,
  findAccount,
  removeSecondFactors,
  setAccountActive,
  transferOperatorRole,
} from "./operations.ts";

export function registerForOperator(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.findAccount, ({ body }) => findAccount(ctx, body));
  serve(app, ctx, calls.setAccountActive, ({ actor, params, body }) =>
    setAccountActive(ctx, actor, { id: params.id, isActive: body.is_active }),
  );
  serve(app, ctx, calls.createResetLink, ({ actor, params, body }) =>
    createResetLink(ctx, actor, { id: params.id, password: body.password }),
  );
  serve(app, ctx, calls.removeSecondFactors, ({ actor, params, body }) =>
    removeSecondFactors(ctx, actor, { id: params.id, password: body.password }),
  );
  serve(app, ctx, calls.transferOperatorRole, ({ actor, params, body }) =>
    transferOperatorRole(ctx, actor, { id: params.id, password: body.password }),
  );
}
