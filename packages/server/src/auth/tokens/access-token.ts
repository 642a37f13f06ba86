import { createHash, createHmac } from "node:crypto";
import { limits, type Role } from "@flamekeep/contract";
import { Role as RoleSchema } from "@flamekeep/contract/schemas";
import { jwtVerify } from "jose";
import { z } from "zod";

const issuer = "flamekeep";
const audience = "flamekeep-api";
/** The type that RFC 9068 defines: no other kind of token passes as an access token. */
const typ = "at+jwt";

export interface AccessClaims {
  readonly userId: string;
  readonly orgId: string;
  readonly sessionId: string;
  readonly role: Role;
}

const Claims = z.object({ sub: z.uuid(), org: z.uuid(), sid: z.uuid(), role: RoleSchema });

/** Keys for one purpose: the current key first, then the previous one, whose signatures stay valid after a change of AUTH_SECRET. */
export type SigningKeys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * Signs the claims with the current key; the token expires `limits.accessTokenSeconds` after `now`. Writes the compact serialization of
 * RFC 7515 itself: `jose` signs with Web Crypto, whose calls queue behind password hashes in Node's thread pool.
 */
export function signAccessToken([key]: SigningKeys, claims: AccessClaims, now: Date): string {
  const { userId: sub, orgId: org, sessionId: sid, role } = claims;
  const iat = Math.floor(now.getTime() / 1000);
  const exp = iat + limits.accessTokenSeconds;
  const header = base64url({ alg: "HS256", typ, kid: keyId(key) });
  const signed = `${header}.${base64url({ org, sid, role, iss: issuer, aud: audience, sub, iat, exp })}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

function base64url(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString("base64url");
}

/** The claims of a token that was signed with one of the keys and has not expired, else undefined. */
export async function readAccessToken(
  keys: SigningKeys,
  token: string,
  now: Date,
): Promise<AccessClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyNamed(keys, kid), {
      algorithms: ["HS256"],
      typ,
      issuer,
      audience,
      currentDate: now,
      requiredClaims: ["exp", "iat", "sub"],
    });
    const claims = Claims.safeParse(payload);
    if (!claims.success) return undefined;
    const { sub, org, sid, role } = claims.data;
    return { userId: sub, orgId: org, sessionId: sid, role };
  } catch {
    // jose throws a different error for each fault of a token; callers need not distinguish them.
    return undefined;
  }
}

/** Names a key without revealing it. */
function keyId(key: Uint8Array): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 8);
}

/** Throws for a token that names none of the keys. */
function keyNamed(keys: SigningKeys, kid: string | undefined): Uint8Array {
  const key = keys.find((each) => keyId(each) === kid);
  if (key === undefined) throw new Error("signed with a key that is not in use");
  return key;
}
