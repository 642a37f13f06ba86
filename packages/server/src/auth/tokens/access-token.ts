import { limits, type Role, Role as RoleSchema } from "@flamekeep/contract";
import { jwtVerify, SignJWT } from "jose";
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

/** Signs the claims; the token expires `limits.accessTokenSeconds` after `now`. */
export async function signAccessToken(key: Uint8Array, claims: AccessClaims, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ org: claims.orgId, sid: claims.sessionId, role: claims.role })
    .setProtectedHeader({ alg: "HS256", typ })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(claims.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + limits.accessTokenSeconds)
    .sign(key);
}

/** The claims of a token that was signed with `key` and has not expired, else undefined. */
export async function readAccessToken(
  key: Uint8Array,
  token: string,
  now: Date,
): Promise<AccessClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
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
