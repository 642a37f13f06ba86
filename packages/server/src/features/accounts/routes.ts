import { login, logout, refreshToken, register, userProfile } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { bearerOf } from "#http/credentials.ts";
import { perMinute } from "#http/rate-limit.ts";
import { serve } from "#http/serve.ts";
import { refresh } from "./refresh.ts";
import { registerAccount } from "./register.ts";
import { showUser } from "./show-user.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

/** Each of these costs a slow hash or a write, and nobody is signed in yet: bounded per address. */
const callsMax = { register: 30, login: 60, tokens: 120 };

export function registerAccounts(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, register, ({ body }) => registerAccount(ctx, body), {
    rate: perMinute(app, callsMax.register),
  });
  serve(app, ctx, login, ({ body, request }) => signIn(ctx, body, request.ip), {
    rate: perMinute(app, callsMax.login),
  });
  serve(
    app,
    ctx,
    refreshToken,
    async ({ request }) => ({ tokens: await refresh(ctx, bearerOf(request.headers)) }),
    { rate: perMinute(app, callsMax.tokens) },
  );
  serve(app, ctx, logout, ({ request }) => signOut(ctx, bearerOf(request.headers)), {
    rate: perMinute(app, callsMax.tokens),
  });
  serve(app, ctx, userProfile, ({ actor }) => showUser(ctx, actor));
}
