import type { AccountClient, Person } from "./account-client.ts";

/** Signs all people in at once. Returns how long each waited, in milliseconds. */
export async function signInAll(client: AccountClient, people: readonly Person[]): Promise<number[]> {
  const replies = await Promise.all(people.map(({ email, password }) => client.login(email, password)));
  return replies.map(({ status, ms }) => {
    if (status !== 200) throw new Error(`a sign-in was answered with ${status}`);
    return ms;
  });
}
