import { totpCode, totpStep } from "#auth/second-factor/totp.ts";
import { totpPlace } from "#store/row/reseal-totp-secrets.ts";
import type { Person, TestApp } from "#testing/start-app.ts";

const secret = Buffer.from("12345678901234567890");

/** The code that the apps of `addAuthenticatorApp` show now. */
export function currentCode(server: TestApp): string {
  return totpCode(secret, totpStep(server.clock.now()));
}

/** Gives the person an authenticator app, or one whose setup waits for its first code. */
export async function addAuthenticatorApp(
  server: TestApp,
  { userId }: Person,
  state: "confirmed" | "waiting" = "confirmed",
): Promise<void> {
  const createdAt = server.clock.now().toISOString();
  await server.rows
    .insertInto("totpSecrets")
    .values({
      userId,
      secret: server.ctx.factorSeal.seal(secret.toString("hex"), totpPlace(userId)),
      createdAt,
      confirmedAt: state === "confirmed" ? createdAt : null,
    })
    .execute();
}
