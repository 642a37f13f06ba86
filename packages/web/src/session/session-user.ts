import { User } from "@flamekeep/contract";
import { z } from "zod";

/** The stored part of the user, which the header shows before any reply has arrived. */
const SessionUser = z.object({
  id: User.shape.id,
  email: User.shape.email,
  first_name: User.shape.first_name,
  last_name: User.shape.last_name,
  name: User.shape.name,
  avatar: User.shape.avatar,
  role: User.shape.role,
  is_verified: User.shape.is_verified,
});
export type SessionUser = z.output<typeof SessionUser>;

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
};

export function parseSessionUser(text: string): SessionUser | undefined {
  try {
    return SessionUser.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** First letter of the name, of the e-mail address, or U. */
export function avatarLetter(user: Pick<SessionUser, "name" | "email"> | undefined): string {
  const source = user?.name.trim() || user?.email.trim() || "U";
  return source.charAt(0).toUpperCase();
}
