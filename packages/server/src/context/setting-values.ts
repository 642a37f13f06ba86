import { isIP } from "node:net";
import { type ProfileType, profileTypes, type Role } from "@flamekeep/contract";
import { z } from "zod";

export const MiB = 1024 * 1024;

export function whole(min: number, max: number, fallback: number) {
  const text = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error: text }).int(text).min(min, text).max(max, text).default(fallback);
}

export function choice<const T extends readonly [string, ...string[]]>(choices: T, fallback: T[number]) {
  return z.enum(choices, { error: `must be one of ${choices.join(", ")}` }).default(fallback as never);
}

export function url(protocols: readonly string[], example: string) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
      error: `must be a URL such as ${example}`,
      abort: true,
    })
    .optional();
}

/** An address without user and password, which would be part of messages. */
export function publicHttpUrl(example: string) {
  return url(["https:", "http:"], example).refine(
    (text) => text === undefined || new URL(text).username + new URL(text).password === "",
    "must have no user and password",
  );
}

/** The beginning of all links. Its path is also part of cookies and pages, so it has none of the characters that end one there. */
export const PublicUrl = url(["http:", "https:"], "https://flamekeep.example.com")
  .refine(
    (text) => isOnlyOriginAndPath(new URL(text ?? "http://localhost")),
    "must have no user, password, query or fragment, because all links start with it",
  )
  .refine(
    (text) => /^(\/[\w.~-]+)*\/*$/.test(new URL(text ?? "http://localhost").pathname),
    "must have a path of only letters, digits and - . _ ~ such as https://tools.example.com/flamekeep",
  );

function isOnlyOriginAndPath({ username, password, search, hash }: URL): boolean {
  return username + password + search + hash === "";
}

export function listOf(text: string): string[] {
  return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
}

export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const oidcDomain = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)=([0-9a-f-]{36})(?::(admin|member|viewer))?$/;

export const OidcDomains = z
  .string()
  .refine(
    (text) => listOf(text).every((item) => oidcDomain.test(item.toLowerCase())),
    "must list domains as DOMAIN=ORGANIZATION_ID:ROLE, separated by commas; the role is admin, member or viewer, and member if left out",
  );

/** OIDC_DOMAINS by domain, in lower case. */
export function readOidcDomains(text: string): ReadonlyMap<string, { orgId: string; role: Role }> {
  return new Map(
    listOf(text).map((item) => {
      const [, domain = "", orgId = "", role = "member"] = oidcDomain.exec(item.toLowerCase()) ?? [];
      return [domain, { orgId, role: role as Role }];
    }),
  );
}

export const HostNames = z
  .string()
  .refine(
    (text) => listOf(text).every((name) => /^[\w.-]+$/.test(name)),
    "must list host names without ports, such as profiles.example.com",
  );

export const KeptFor = z
  .string()
  .regex(/^(on|off|[1-9]\d{0,3}d)$/, "must be on, off, or a number of days such as 7d");

/** KEEP_ORIGINALS in days: Infinity for `on`, 0 for `off`. */
export function readDaysOfOriginals(text: string): number {
  if (text === "on") return Number.POSITIVE_INFINITY;
  return text === "off" ? 0 : Number.parseInt(text, 10);
}

const daysOfType = /^([a-z]+)=([1-9]\d{0,3})d?$/;

export const DaysByType = z
  .string()
  .refine(
    (text) => listOf(text).every((item) => isProfileType(daysOfType.exec(item)?.[1])),
    `must list days by type, such as goroutine=3,memory=14; the types are ${profileTypes.join(", ")}`,
  );

function isProfileType(name: string | undefined): name is ProfileType {
  return profileTypes.some((type) => type === name);
}

/** RETENTION_DAYS_BY_TYPE; of a type that is listed twice, the last one. */
export function readDaysByType(text: string): ReadonlyMap<ProfileType, number> {
  return new Map(
    listOf(text).flatMap((item): [ProfileType, number][] => {
      const [, type, days] = daysOfType.exec(item) ?? [];
      return isProfileType(type) ? [[type, Number(days)]] : [];
    }),
  );
}
