import { notFound } from "#failure";
import type { RowStore } from "#store/row/row-store.ts";

/** The services of a created project: of its list, or the one of its name. Throws `not_found` for any other id. */
export async function servicesOfProject(rows: RowStore, orgId: string, id: string): Promise<string[]> {
  const row = await rows
    .selectFrom("projects")
    .select(["name", "services"])
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw notFound("Project", id);
  const services = JSON.parse(row.services) as string[];
  return services.length === 0 ? [row.name] : services;
}
