import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { hashPassword } from "#auth/passwords/password.ts";
import type { Config } from "#config";
import type { RawRows } from "./raw-rows.ts";

/** A person of an organization in an export: without password, second factors and other organizations. */
export const Person = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  email_key: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  is_verified: z.union([z.literal(0), z.literal(1)]),
  role: z.enum(["admin", "member", "viewer"]),
  /** When they joined the organization. */
  joined_at: z.string(),
});
export type Person = z.output<typeof Person>;

export async function readPeople(rows: RawRows, orgId: string): Promise<Person[]> {
  const found = await rows
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.email", "users.email_key", "users.first_name", "users.last_name"])
    .select(["users.is_verified", "memberships.role", "memberships.created_at as joined_at"])
    .where("memberships.org_id", "=", orgId)
    .orderBy("memberships.created_at")
    .orderBy("users.id")
    .execute();
  return found.map((row) => Person.parse(row));
}

/**
 * Makes the people members of the organization. People whom the installation knows keep their account; others get one with a password
 * that nobody knows. Returns the ids of their accounts here by their ids in the export.
 */
export async function writePeople(
  rows: RawRows,
  orgId: string,
  people: readonly Person[],
  { passwordCost }: Pick<Config, "passwordCost">,
): Promise<ReadonlyMap<string, string>> {
  const password_hash = await hashPassword(randomBytes(32).toString("base64url"), passwordCost);
  // With another key, somebody else's address would lead to the account.
  const members = people.map((person) => ({ ...person, email_key: person.email.trim().toLowerCase() }));
  const known = await knownAccounts(rows, members);
  const ids = new Map<string, string>();
  for (const { role, joined_at, ...person } of members) {
    const user_id = known.get(person.id) ?? (await freeId(rows, person.id));
    if (!known.has(person.id)) {
      const account = { ...person, id: user_id, password_hash, is_active: 1, created_at: joined_at };
      await rows.insertInto("users").values(account).execute();
    }
    ids.set(person.id, user_id);
    await rows
      .insertInto("memberships")
      .values({ org_id: orgId, user_id, role, created_at: joined_at })
      .execute();
  }
  return ids;
}

/**
 * Accounts of the installation by the ids of people in the export. The address decides, then the id, because addresses change: one person's
 * account may have the address that was another one's. Two people never share an account.
 */
async function knownAccounts(rows: RawRows, people: readonly Person[]): Promise<ReadonlyMap<string, string>> {
  const accounts = new Map<string, string>();
  for (const { id, email_key } of people) {
    const found = await rows
      .selectFrom("users")
      .select("id")
      .where("email_key", "=", email_key)
      .executeTakeFirst();
    if (found !== undefined) accounts.set(id, String(found["id"]));
  }
  const taken = new Set(accounts.values());
  for (const { id } of people)
    if (!accounts.has(id) && !taken.has(id) && (await isAccount(rows, id))) accounts.set(id, id);
  return accounts;
}

async function freeId(rows: RawRows, id: string): Promise<string> {
  return (await isAccount(rows, id)) ? randomUUID() : id;
}

async function isAccount(rows: RawRows, id: string): Promise<boolean> {
  return (await rows.selectFrom("users").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}
