import type { BatchItem } from "./batch.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { splitStored } from "./split-stored.ts";

/** Removes the original bytes of items whose rows a full disk refused, so that they take none of the room that is left. */
export async function takeBack(
  items: readonly BatchItem[],
  { store, payloads, log }: Pick<CommitterParts, "store" | "payloads" | "log">,
): Promise<void> {
  try {
    const { missing } = await splitStored(store, items, (item) => item);
    for (const [orgId, own] of Map.groupBy(missing, (item) => item.orgId)) {
      await payloads.remove(
        orgId,
        own.map(({ profileId }) => profileId),
      );
    }
  } catch (error) {
    // They stay until their day is removed, or the profile is sent again.
    log.warn({ err: error, profiles: items.length }, "the bytes of refused uploads could not be removed");
  }
}
