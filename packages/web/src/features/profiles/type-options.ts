import { type DisplayType, displayTypes } from "@flamekeep/contract";
import { profileTypeLabel } from "#format/profile-type.ts";

export const storedTypeOptions: readonly { value: DisplayType | "all"; label: string }[] = [
  { value: "all", label: "All types" },
  ...displayTypes.map((value) => ({ value, label: profileTypeLabel(value) })),
];
