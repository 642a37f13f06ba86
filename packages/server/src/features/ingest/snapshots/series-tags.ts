import { instanceTags } from "#store/profiles/tag-names.ts";

/** They name a process too, but a new one after each restart. */
const processTags = ["pid", "process_id", "process.pid"];
const namingTags = [...instanceTags, ...processTags];

export function namesInstance(tags: ReadonlyMap<string, string>): boolean {
  return namingTags.some((name) => tags.has(name));
}
