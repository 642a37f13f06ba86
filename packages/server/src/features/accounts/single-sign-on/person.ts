import { randomBytes, randomUUID } from "node:crypto";
import { isEmail, readableLine } from "@flamekeep/contract";
import { queueFactorNotice } from "#accounts/email/mails.ts";
import { joinBy, recordJoining, usableInvitation } from "#accounts/invitations/join.ts";
import type { UsableInvitation } from "#accounts/invitations/queries.ts";
import {
  claimOperator,
  createOrganization,
  emailKeyOf,
  hasOperator,
  insertPerson,
  type MembershipRow,
  type PersonWithHash,
  personByEmail,
  personById,
} from "#accounts/people/queries.ts";
import { hashPassword } from "#auth/passwords/password.ts";
import type { OidcConfig } from "#config";
import type { Context } from "#context";
import { Failure, forbidden } from "#failure";
import type { RowStore } from "#store/row/row-store.ts";
import { hasIdentityOf, type IdentityKey, identityOf, link } from "./identities.ts";

/** The claims of the provider about a person, after their signature was checked. */
export interface Identity extends IdentityKey {
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
}

type VerifiedIdentity = Identity & { readonly email: string };

interface FoundPerson {
  readonly person: PersonWithHash;
  /** For the person to accept; undefined if there is none, or if a new account has joined with it. */
  readonly invitation: UsableInvitation | undefined;
}

/**
 * The account of the identity: the linked one, else one with the same confirmed address, else a new one.
 *
 * @param token of the invitation whose link the person opened
 */
export async function personOf(
  ctx: Context,
  config: OidcConfig,
  identity: Identity,
  token: string | undefined,
): Promise<FoundPerson> {
  const known = await identityOf(ctx.rows, identity);
  if (known !== undefined && known.unlinkedAt !== null) throw unlinked(config);
  const linked = known && (await personById(ctx.rows, known.userId));
  if (linked !== undefined) return withInvitation(ctx, linked, token);
  const confirmed = verified(config, identity);
  const existing = await personOfAddress(ctx, config, confirmed);
  if (existing !== undefined) return withInvitation(ctx, existing, token);
  const invitation = await usableInvitation(ctx, token, emailKeyOf(confirmed.email));
  return { person: await createPerson(ctx, config, confirmed, invitation), invitation: undefined };
}

async function withInvitation(
  ctx: Context,
  person: PersonWithHash,
  token: string | undefined,
): Promise<FoundPerson> {
  if (person.isActive !== 1) throw forbidden("This account is closed. Ask the operator of this server.");
  return { person, invitation: await usableInvitation(ctx, token, emailKeyOf(person.email)) };
}

function verified({ name }: OidcConfig, identity: Identity): VerifiedIdentity {
  const { email, isEmailVerified } = identity;
  if (email === undefined || !isEmailVerified)
    throw forbidden(`${name} has not confirmed your email address. Confirm it there, then try again.`);
  if (!isEmail(email.trim())) throw forbidden(`${name} sent an email address that cannot be used here.`);
  return { ...identity, email };
}

/** The account with the address of the identity, which is linked from now on. */
async function personOfAddress(
  ctx: Context,
  { name }: OidcConfig,
  identity: VerifiedIdentity,
): Promise<PersonWithHash | undefined> {
  const existing = await personByEmail(ctx.rows, identity.email);
  if (existing === undefined) return undefined;
  // Otherwise somebody who registered with an address of another person would share the account with its owner.
  if (existing.isVerified !== 1) {
    throw forbidden(
      "An account with this email address exists, but the address was not confirmed here. Sign in with your password, confirm the address, then try again.",
    );
  }
  // The provider may have given the address of a former colleague to somebody else.
  if (await hasIdentityOf(ctx.rows, existing.id, identity.issuer)) {
    throw forbidden(
      `The account with this email address belongs to another account at ${name}. Sign in with your password, then link this one under Settings, Account.`,
    );
  }
  if (await link(ctx.rows, identity, { userId: existing.id, now: ctx.now() })) {
    ctx.audit.recordInAllOrganizations(existing.id, { event: "identity.linked", target: identity.issuer });
    queueFactorNotice(ctx, existing.email, "identityLinked");
  }
  return existing;
}

async function createPerson(
  ctx: Context,
  config: OidcConfig,
  identity: VerifiedIdentity,
  invitation: UsableInvitation | undefined,
): Promise<PersonWithHash> {
  const emailKey = emailKeyOf(identity.email);
  const mapped = config.domains.get(emailKey.slice(emailKey.lastIndexOf("@") + 1));
  const isOpen = invitation !== undefined || mapped !== undefined || ctx.config.signup === "open";
  if (!isOpen && (await hasOperator(ctx.rows))) throw closed();
  // Nobody has this password. The person can choose one through "Forgot password?".
  const passwordHash = await hashPassword(randomBytes(32).toString("base64url"), ctx.config.passwordCost);
  const now = ctx.now();
  const userId = randomUUID();
  const firstName = nameOf(identity.firstName) || emailKey.slice(0, emailKey.lastIndexOf("@"));
  const membership = await ctx.rows.transaction().execute(async (rows) => {
    const isNew = await insertPerson(rows, {
      id: userId,
      email: identity.email.trim(),
      emailKey,
      passwordHash,
      firstName,
      lastName: nameOf(identity.lastName),
      isActive: 1,
      isVerified: 1,
      createdAt: now.toISOString(),
    });
    if (!isNew) throw new Failure("conflict", "This account was just created. Try again.");
    const isOperator = await claimOperator(rows, userId);
    if (!isOpen && !isOperator) throw closed();
    await link(rows, identity, { userId, now });
    if (invitation !== undefined) return joinBy(rows, invitation, { userId, now });
    if (mapped !== undefined) return joinMapped(rows, mapped, { userId, now });
    return createOrganization(rows, { userId, firstName, now });
  });
  if (invitation !== undefined || mapped !== undefined) await recordJoining(ctx, membership, userId);
  ctx.log.info({ userId, orgId: membership.orgId }, "user registered through the identity provider");
  const person = await personById(ctx.rows, userId);
  if (person === undefined) throw new Error("A new account is gone");
  return person;
}

const unlinked = ({ name }: OidcConfig) =>
  forbidden(
    `Your account at ${name} was unlinked. Sign in with your password, then link it again under Settings, Account.`,
  );

const closed = () =>
  forbidden(
    "Registration on this server is by invitation only. Ask an admin of your organization to invite you.",
  );

type Mapped = NonNullable<ReturnType<OidcConfig["domains"]["get"]>>;

async function joinMapped(
  rows: RowStore,
  { orgId, role }: Mapped,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<MembershipRow> {
  const organization = await rows
    .selectFrom("organizations")
    .select(["name", "requiresSecondFactor"])
    .where("id", "=", orgId)
    .where("suspendedAt", "is", null)
    .where("isDemo", "=", 0)
    .executeTakeFirst();
  if (organization === undefined)
    throw forbidden(
      "The organization of your domain does not exist. Ask the operator to correct OIDC_DOMAINS.",
    );
  await rows
    .insertInto("memberships")
    .values({ orgId, userId, role, createdAt: now.toISOString() })
    .execute();
  // A new account has no second factor yet.
  return { orgId, orgName: organization.name, role, lacksSecondFactor: organization.requiresSecondFactor };
}

/** A name as the registration form would take it; "" without one. */
function nameOf(claim: string | undefined): string {
  return readableLine((claim ?? "").trim().slice(0, 100));
}
