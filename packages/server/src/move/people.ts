import { randomBytes } from "node:crypto";
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
 * Makes the people members of the organization. People whom the installation knows by their address keep their account; others get one
 * with a password that nobody knows. Returns the ids of their accounts here by their ids in the export.
 */
export async function writePeople(
  rows: RawRows,
  orgId: string,
  people: readonly Person[],
  { passwordCost }: Pick<Config, "passwordCost">,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const password_hash = await hashPassword(randomBytes(32).toString("base64url"), passwordCost);
  for (const { role, joined_at, ...person } of people) {
    const known = await rows
      .selectFrom("users")
      .select("id")
      .where((where) => where.or([where("email_key", "=", person.email_key), where("id", "=", person.id)]))
      .executeTakeFirst();
    if (known === undefined) {
      const account = { ...person, password_hash, is_active: 1, created_at: joined_at };
      await rows.insertInto("users").values(account).execute();
    }
    const userId = String(known?.["id"] ?? person.id);
    ids.set(person.id, userId);
    const membership = { org_id: orgId, user_id: userId, role, created_at: joined_at };
    await rows.insertInto("memberships").values(membership).execute();
  }
  return ids;
}
