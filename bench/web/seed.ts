import { gzipSync } from "node:zlib";
import { signUp, storedSession } from "@flamekeep/e2e/sign-up";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, writeProfile } from "@flamekeep/profile";

/** The service with a profile every ten seconds, for more than a day. */
export const busyService = "busy";
export const profiles = 10_000;
export const services = 1_000;

const everyMs = 10_000;
const senders = 16;

export interface Seeded {
  /** Signs in and returns what the app keeps of a session, by its key in local storage. */
  signIn(): Promise<Readonly<Record<string, string>>>;
}

/** An organization with a busy service and many quiet ones; all its profiles go through ingestion. */
export async function seed(url: string): Promise<Seeded> {
  const account = await signUp(url);
  const stacks = syntheticStacks({ stacks: 40, depth: 12, names: 200 });
  const now = Date.now();
  const takenAt = (atMs: number) =>
    gzipSync(
      writeProfile(
        profileOfStacks(stacks, {
          timeNs: BigInt(atMs) * 1_000_000n,
          durationNs: BigInt(everyMs) * 1_000_000n,
        }),
      ),
    );
  const sends = [
    ...Array.from(
      { length: profiles },
      (_, at) => () =>
        account.send(takenAt(now - at * everyMs), `service=${busyService}&type=cpu&tag.region=eu-${at % 3}`),
    ),
    ...Array.from(
      { length: services },
      (_, at) => () => account.send(takenAt(now - at), `service=service-${at}&type=cpu`),
    ),
  ];
  const next = sends.values();
  // All senders take from the same iterator.
  await Promise.all(
    Array.from({ length: senders }, async () => {
      for (const send of next) await send();
    }),
  );
  return {
    signIn: async () => storedSession(await account.session()),
  };
}
