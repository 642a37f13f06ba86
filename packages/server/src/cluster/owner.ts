import { hash } from "node:crypto";

/** A service. Its comparisons, duplicates and removals have one owner. */
export interface OwnedScope {
  readonly orgId: string;
  readonly service: string;
}

/**
 * The member that owns the scope, by rendezvous hashing: all members with the same list find the same one, and a member that comes or
 * goes moves only the scopes that it owns.
 */
export function ownerAmong<M extends { readonly id: string }>(
  members: readonly [M, ...M[]],
  { orgId, service }: OwnedScope,
): M {
  let [owner] = members;
  let highest = "";
  for (const member of members) {
    const weight = hash("sha256", `${member.id}\n${orgId}\n${service}`, "hex");
    if (weight <= highest) continue;
    highest = weight;
    owner = member;
  }
  return owner;
}
