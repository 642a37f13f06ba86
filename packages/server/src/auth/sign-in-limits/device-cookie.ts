import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "#context";

/**
 * A signed mark of a browser in which a person signed in before (OWASP: "Slow Down Online Guessing Attacks with Device
 * Cookies"). It only chooses which attempts are counted together; it never signs anybody in.
 */
const lifeSeconds = 180 * 86_400;
const version = "v1";

interface Device {
  readonly id: string;
  readonly expiresAt: number;
}

/** The id in the device cookie of this account, if its signature is valid and it has not expired. */
export function deviceOf(ctx: Context, emailKey: string, cookies: string | undefined): string | undefined {
  const text = cookieNamed(nameOf(ctx, emailKey), cookies);
  const match = /^v1\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/.exec(text ?? "");
  if (match === null) return undefined;
  const [, id = "", expires = "", mac = ""] = match;
  const device = { id, expiresAt: Number(expires) };
  if (device.expiresAt * 1000 <= ctx.now().getTime()) return undefined;
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(ctx, emailKey, device))) ? id : undefined;
}

/** The `Set-Cookie` of a sign-in. The device keeps its id, so that its attempts stay counted together. */
export function deviceCookie(ctx: Context, emailKey: string, deviceId: string | undefined): string {
  const id = deviceId ?? randomBytes(16).toString("base64url");
  const expiresAt = Math.floor(ctx.now().getTime() / 1000) + lifeSeconds;
  const value = `${version}.${id}.${expiresAt}.${macOf(ctx, emailKey, { id, expiresAt })}`;
  const parts = [
    `${nameOf(ctx, emailKey)}=${value}`,
    `Path=${ctx.config.basePath}/auth/login`,
    `Max-Age=${lifeSeconds}`,
    "HttpOnly",
    "SameSite=Strict",
  ];
  if (ctx.config.publicUrl.startsWith("https:")) parts.push("Secure");
  return parts.join("; ");
}

/** One for each account, because several people may use a browser. */
function nameOf(ctx: Context, emailKey: string): string {
  const hash = createHmac("sha256", ctx.signInKey).update(`cookie name ${emailKey}`).digest("hex");
  return `flamekeep_device_${hash.slice(0, 16)}`;
}

function macOf(ctx: Context, emailKey: string, { id, expiresAt }: Device): string {
  const text = JSON.stringify(["device", emailKey, id, expiresAt]);
  return createHmac("sha256", ctx.signInKey).update(text).digest("base64url");
}

function cookieNamed(name: string, cookies: string | undefined): string | undefined {
  for (const pair of (cookies ?? "").split(";")) {
    const [key = "", value] = pair.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}
