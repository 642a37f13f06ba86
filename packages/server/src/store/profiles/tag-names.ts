import { z } from "zod";
import { unprocessable } from "#failure";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count, SeriesRange } from "#store/column/values.ts";

const tagNamesOfRange = query({
  name: "profiles.tag-names",
  isCacheable: true,
  sql: `SELECT arraySort(groupUniqArrayArray(mapKeys(tags))) AS names, count() AS profiles FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}`,
  params: SeriesRange,
  row: z.object({ names: z.array(z.string()), profiles: Count }),
});

const namesListedMax = 20;

/**
 * Call it if a tag filter matches no profile of the range. Throws `unprocessable` if no profile has a tag with one of the
 * names: most often that is the name of a label of samples.
 */
export async function refuseUnknownTags(
  columns: Pick<ColumnStore, "query">,
  range: z.input<typeof SeriesRange>,
  tagNames: readonly string[],
): Promise<void> {
  if (tagNames.length === 0) return;
  const { orgId, service, type, from, to } = range;
  const [row] = await columns.query(tagNamesOfRange, { orgId, service, type, from, to });
  if (row === undefined || row.profiles === 0) return;
  const unknown = tagNames.find((name) => !row.names.includes(name));
  if (unknown === undefined) return;
  const existing =
    row.names.length === 0
      ? "These profiles have no tags."
      : `Their tags are ${row.names.slice(0, namesListedMax).join(", ")}${row.names.length > namesListedMax ? ", and more" : ""}.`;
  throw unprocessable(
    `No profile of this range has the tag ${unknown}. ${existing} Labels of samples are filtered with labels=${unknown}:VALUE.`,
  );
}

/**
 * Tags that change when a new version of the same service starts, in order of precedence: of a profile with several of
 * them the first one names its version.
 */
export const versionTags: readonly string[] = [
  "version",
  "service_version",
  "service.version",
  "git_sha",
  "service_git_ref",
  "release",
  "revision",
  "commit",
];

/** Tags that name a process, or a place where one process of a service runs, the most exact ones first. */
export const instanceTags: readonly string[] = [
  "instance",
  "service.instance.id",
  "service_instance_id",
  "instance_id",
  "pod",
  "pod_name",
  "k8s.pod.name",
  "container_id",
  "container.id",
  "hostname",
  "host",
  "host.name",
];
