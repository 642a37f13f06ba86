/** What the API says is stored: every id listed, and how many profiles the roll-ups count. */
export interface StoredProfiles {
  readonly ids: readonly string[];
  readonly rolledUp: number;
}

interface Page {
  readonly profiles: readonly { readonly profile_id: string }[];
  readonly next_cursor: string | null;
  readonly counts_by_type: Readonly<Record<string, number>>;
}

export async function storedProfiles(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<StoredProfiles> {
  const ids: string[] = [];
  let rolledUp = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = new URLSearchParams({ since: "24h", limit: "1000", ...(cursor === "" ? {} : { cursor }) });
    const reply = await fetch(`${url}/api/v1/protected/profiles?${query}`, { headers });
    if (!reply.ok) throw new Error(`listing profiles failed: ${reply.status} ${await reply.text()}`);
    const page = (await reply.json()) as Page;
    ids.push(...page.profiles.map(({ profile_id }) => profile_id));
    if (cursor === "") rolledUp = Object.values(page.counts_by_type).reduce((sum, count) => sum + count, 0);
    cursor = page.next_cursor;
  }
  return { ids, rolledUp };
}

/** How many of the profiles' original bytes cannot be read. */
export async function unreadable(
  url: string,
  headers: Readonly<Record<string, string>>,
  ids: readonly string[],
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const reply = await fetch(`${url}/api/v1/protected/profile/${id}/download`, { headers });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    if (reply.status !== 200 || bytes[0] !== 0x1f || bytes[1] !== 0x8b) count++;
  }
  return count;
}
