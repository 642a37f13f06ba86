import { type StoredType, storedTypes } from "@flamekeep/contract";
import { profileTypeLabel } from "#format/profile-type.ts";

export const storedTypeOptions: readonly { value: StoredType | "all"; label: string }[] = [
  { value: "all", label: "All types" },
  ...storedTypes.map((value) => ({ value, label: profileTypeLabel(value) })),
];
