import { type StorageFault, storageFaultOf } from "#store/storage-fault.ts";

/** Why a day's file cannot be used. `unwritable` includes every cause that the others do not name. */
export type FileFault = Exclude<StorageFault, "unusable"> | "unwritable";

export function faultOf(error: unknown): FileFault {
  const fault = storageFaultOf(error) ?? "unusable";
  return fault === "unusable" ? "unwritable" : fault;
}
