import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import * as operations from "./operations.ts";

export function registerForOperator(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.findAccount, operations.findAccount);
  serve(app, ctx, calls.setAccountActive, operations.setAccountActive);
  serve(app, ctx, calls.createResetLink, operations.createResetLink);
  serve(app, ctx, calls.removeSecondFactors, operations.removeSecondFactors);
  serve(app, ctx, calls.transferOperatorRole, operations.transferOperatorRole);
}
