import { Tag } from "lucide-react";
import { importOnce } from "#api/import-page.ts";
import { ChipField } from "#ui/controls/chip-field.tsx";
import { chosenTexts } from "./model.ts";
import type { TagFilterProps } from "./tag-combobox.tsx";

const load = importOnce(() => import("./tag-combobox.tsx"));
const name = "Filter by tags";

/** Tags that all profiles of a range must have, as chips. */
export function TagFilter({ label = name, isActive = false, ...props }: TagFilterProps) {
  return (
    <ChipField
      {...{ load, label, isActive }}
      icon={Tag}
      placeholder={name}
      chosen={chosenTexts(props.tags)}
      className="min-w-38"
    >
      {({ TagCombobox }, start) => <TagCombobox {...props} label={label} start={start} />}
    </ChipField>
  );
}
