import { roles, type User } from "@flamekeep/contract";

const textFields = ["id", "email", "first_name", "last_name", "name"] as const;

/** The stored part of the user, which the header shows before any reply has arrived. */
export type SessionUser = Pick<
  User,
  | (typeof textFields)[number]
  | "avatar"
  | "role"
  | "is_verified"
  | "organization"
  | "is_operator"
  | "needs_second_factor"
>;

function isSessionUser(value: unknown): value is SessionUser {
  if (typeof value !== "object" || value === null) return false;
  const user = value as Partial<Record<keyof SessionUser, unknown>>;
  return (
    textFields.every((field) => typeof user[field] === "string") &&
    (user.avatar === null || typeof user.avatar === "string") &&
    roles.some((role) => role === user.role) &&
    typeof user.is_verified === "boolean" &&
    isOrganization(user.organization)
  );
}

function isOrganization(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, name } = value as { readonly id?: unknown; readonly name?: unknown };
  return typeof id === "string" && typeof name === "string";
}

/** As the server describes the user of the demo. */
export const demoUser: SessionUser = {
  id: "00000000-0000-4000-8000-0000000000de",
  email: "demo@example.com",
  first_name: "Demo",
  last_name: "User",
  name: "Demo User",
  avatar: null,
  role: "admin",
  is_verified: true,
  is_operator: false,
  needs_second_factor: false,
  organization: { id: "00000000-0000-4000-8000-0000000000de", name: "Demo" },
};

export function parseSessionUser(text: string): SessionUser | undefined {
  try {
    const user: unknown = JSON.parse(text);
    if (!isSessionUser(user)) return undefined;
    // Earlier versions did not store these.
    return {
      ...user,
      is_operator: user.is_operator === true,
      needs_second_factor: user.needs_second_factor === true,
    };
  } catch {
    return undefined;
  }
}

/** First letter of the name, of the e-mail address, or U. */
export function avatarLetter(user: Pick<SessionUser, "name" | "email"> | undefined): string {
  const source = user?.name.trim() || user?.email.trim() || "U";
  return source.charAt(0).toUpperCase();
}
