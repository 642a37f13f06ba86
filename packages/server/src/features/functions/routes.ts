import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { findFunctions } from "./operations.ts";

export function registerFunctions(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.findFunctions, findFunctions);
}
