/** The stored profiles according to the API. */
export interface StoredProfiles {
  /** Every profile that is listed. */
  readonly ids: readonly string[];
  /** Profiles that the roll-ups count beyond, or short of, those listed; the differences of all services added up. */
  readonly rollUpDifference: number;
}

interface Page {
  readonly profiles: readonly { readonly profile_id: string; readonly service: string }[];
  readonly next_cursor: string | null;
}

interface Services {
  readonly services: readonly { readonly name: string; readonly total_profiles: number }[];
}

type Headers = Readonly<Record<string, string>>;

export async function storedProfiles(url: string, headers: Headers): Promise<StoredProfiles> {
  const listed: Page["profiles"][number][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Page = await get(url, headers, "profiles", {
      limit: "1000",
      ...(cursor === "" ? {} : { cursor }),
    });
    listed.push(...page.profiles);
    cursor = page.next_cursor;
  }
  const { services } = await get<Services>(url, headers, "services", { include_totals: "true" });
  const differences = new Map(services.map(({ name, total_profiles }) => [name, total_profiles]));
  for (const { service } of listed) differences.set(service, (differences.get(service) ?? 0) - 1);
  const rollUpDifference = [...differences.values()].reduce((sum, each) => sum + Math.abs(each), 0);
  return { ids: listed.map(({ profile_id }) => profile_id), rollUpDifference };
}

async function get<T>(url: string, headers: Headers, path: string, query: Headers): Promise<T> {
  const reply = await fetch(
    `${url}/api/v1/protected/${path}?${new URLSearchParams({ since: "24h", ...query })}`,
    { headers },
  );
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
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
