import { randomUUID } from "node:crypto";
import type { Role } from "@flamekeep/contract";
import { type Insertable, type Selectable, sql } from "kysely";
import { type FactorFlags, factorFlags, lacksSecondFactor } from "#auth/second-factor/factor-flags.ts";
import { accountsThatUsed, addressFilter } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context, UserActor } from "#context";
import { notFound } from "#failure";
import { firstRow, prepared } from "#store/row/prepared.ts";
import { acrossOrganizations, changesRow, type Database, type RowStore } from "#store/row/row-store.ts";

/** A user, whatever their organizations. The slot is null for everybody but the operator. */
type PersonRow = Omit<Selectable<Database["users"]>, "emailKey" | "passwordHash" | "lastOrgId"> & {
  readonly operatorSlot: "first" | null;
};

export interface MembershipRow {
  readonly role: Role;
  readonly orgId: string;
  readonly orgName: string;
  /** Whether the organization requires a second factor that the person does not have. Truthy, not true: SQLite has no booleans. */
  readonly lacksSecondFactor: unknown;
}

/** A user together with the organization of the session. */
export type AccountRow = PersonRow & MembershipRow;

export type PersonWithHash = PersonRow & { readonly passwordHash: string };
export type PersonSigningIn = PersonWithHash & FactorFlags & { readonly isAddressKnown: unknown };
export type AccountWithHash = AccountRow & { readonly passwordHash: string };

/** Email addresses are compared without regard to case, as mail servers do in practice. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase();
}

const personColumns = [
  "users.id",
  "users.email",
  "users.firstName",
  "users.lastName",
  "users.isActive",
  "users.isVerified",
  "users.createdAt",
  "users.lastLoginAt",
  "operators.slot as operatorSlot",
] as const;

const membershipColumns = ["memberships.role", "memberships.orgId", "organizations.name as orgName"] as const;

function accounts(rows: RowStore) {
  return rows
    .selectFrom("users")
    .leftJoin("operators", "operators.userId", "users.id")
    .innerJoin("memberships", "memberships.userId", "users.id")
    .innerJoin("organizations", "organizations.id", "memberships.orgId")
    .where("organizations.suspendedAt", "is", null)
    .select([...personColumns, ...membershipColumns])
    .select(lacksSecondFactor);
}

function people(rows: RowStore) {
  return rows
    .selectFrom("users")
    .leftJoin("operators", "operators.userId", "users.id")
    .select([...personColumns, "users.passwordHash"]);
}

export function personByEmail(rows: RowStore, email: string): Promise<PersonWithHash | undefined> {
  return people(rows).where("users.emailKey", "=", emailKeyOf(email)).executeTakeFirst();
}

/** The person of an address, with all that a sign-in needs to know about them. */
export function personSigningIn(
  ctx: Context,
  emailKey: string,
  address: string,
): Promise<PersonSigningIn | undefined> {
  return firstRow(ctx.rows, personByEmailKey(ctx.rows, { emailKey, ...addressFilter(ctx, address) }));
}

type SigningIn = ReturnType<typeof addressFilter> & { readonly emailKey: string };

const personByEmailKey = prepared((rows, values: SigningIn) => {
  const uses = accountsThatUsed(rows, values).where(
    "knownAddresses.userId",
    "=",
    sql.ref<string>("users.id"),
  );
  return people(rows)
    .select(factorFlags)
    .select(({ exists }) => exists(uses).as("isAddressKnown"))
    .where("users.emailKey", "=", values.emailKey);
});

export function personById(rows: RowStore, id: string): Promise<PersonWithHash | undefined> {
  return people(rows).where("users.id", "=", id).executeTakeFirst();
}

/** The organization in which a session of the person begins: the one used last, else the one joined first. */
export function homeOrganization(rows: RowStore, userId: string): Promise<MembershipRow | undefined> {
  return firstRow(rows, homeByUserId(rows, { userId }));
}

const homeByUserId = prepared((rows, { userId }: { readonly userId: string }) =>
  firstHome(memberships(rows, userId)),
);

/** As `homeOrganization`, for the person of an address. */
export function homeOrganizationByEmail(
  rows: RowStore,
  emailKey: string,
): Promise<MembershipRow | undefined> {
  return firstRow(rows, homeByEmailKey(rows, { emailKey }));
}

const homeByEmailKey = prepared((rows, { emailKey }: { readonly emailKey: string }) =>
  firstHome(allMemberships(rows).where("users.emailKey", "=", emailKey)),
);

function firstHome(found: ReturnType<typeof allMemberships>) {
  return found
    .select(membershipColumns)
    .select(lacksSecondFactor)
    .orderBy(({ eb, ref }) =>
      eb.case().when("memberships.orgId", "=", ref("users.lastOrgId")).then(0).else(1).end(),
    )
    .orderBy("memberships.createdAt")
    .orderBy("memberships.orgId")
    .limit(1);
}

/** The organizations of a person, whatever organization the session is in. */
export function memberships(rows: RowStore, userId: string) {
  return allMemberships(rows).where("memberships.userId", "=", userId);
}

function allMemberships(rows: RowStore) {
  return acrossOrganizations(rows)
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.orgId")
    .innerJoin("users", "users.id", "memberships.userId")
    .where("organizations.suspendedAt", "is", null);
}

export function accountInOrganization(
  rows: RowStore,
  orgId: string,
  userId: string,
): Promise<AccountRow | undefined> {
  return accounts(rows)
    .where("users.id", "=", userId)
    .where("memberships.orgId", "=", orgId)
    .executeTakeFirst();
}

/** The account of the session. Throws 404 for one that was removed meanwhile. */
export async function ownAccount(
  { rows }: Pick<Context, "rows">,
  { orgId, userId }: Pick<UserActor, "orgId" | "userId">,
): Promise<AccountWithHash> {
  const own = accounts(rows).select("users.passwordHash").where("users.id", "=", userId);
  const account = await own.where("memberships.orgId", "=", orgId).executeTakeFirst();
  if (account === undefined) throw notFound("User");
  return account;
}

/** Stores a new person; false if their address has an account. Of two concurrent registrations of one address, the second stores nothing. */
export function insertPerson(rows: RowStore, person: Insertable<Database["users"]>): Promise<boolean> {
  const insertion = rows.insertInto("users").values(person);
  return changesRow(insertion.onConflict((conflict) => conflict.column("emailKey").doNothing()));
}

interface Owner {
  readonly userId: string;
  readonly firstName: string;
  readonly now: Date;
}

/** Creates an organization with the person as its admin. Call it inside a transaction. */
export async function createOrganization(
  rows: RowStore,
  { userId, firstName, now }: Owner,
): Promise<MembershipRow> {
  const createdAt = now.toISOString();
  const orgId = randomUUID();
  const orgName = `${firstName}'s organization`;
  await rows.insertInto("organizations").values({ id: orgId, name: orgName, isDemo: 0, createdAt }).execute();
  await rows.insertInto("memberships").values({ orgId, userId, role: "admin", createdAt }).execute();
  return { orgId, orgName, role: "admin", lacksSecondFactor: false };
}

export async function hasOperator(rows: RowStore): Promise<boolean> {
  return (await rows.selectFrom("operators").select("slot").executeTakeFirst()) !== undefined;
}

/** Whether the user is the first of the installation. */
export function claimOperator(rows: RowStore, userId: string): Promise<boolean> {
  return changesRow(
    rows
      .insertInto("operators")
      .values({ slot: "first", userId })
      .onConflict((conflict) => conflict.column("slot").doNothing()),
  );
}
