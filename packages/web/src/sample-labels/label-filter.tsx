import type { ProfileLabels } from "@flamekeep/contract";
import { ListFilter } from "lucide-react";
import { importOnce } from "#api/import-page.ts";
import { ChipField } from "#ui/controls/chip-field.tsx";
import { chosenTexts, type Labels } from "./model.ts";

const load = importOnce(() => import("./label-combobox.tsx"));

interface LabelFilterProps {
  /** All labels of the samples; undefined while they load. */
  readonly found: ProfileLabels | undefined;
  readonly labels: Labels;
  readonly onChange: (labels: Labels | undefined) => void;
  /** Accessible name of the field. */
  readonly label?: string;
  /** Whether the field has the focus at first. */
  readonly isActive?: boolean;
}

/** The labels that samples must have, as chips. Absent if there is nothing to choose. */
export function LabelFilter(props: LabelFilterProps) {
  const { found, labels, onChange, label = "Filter by labels of samples", isActive = false } = props;
  const chosen = chosenTexts(labels);
  if (chosen.length === 0 && (found?.keys ?? []).length === 0) return null;
  return (
    <ChipField
      {...{ load, label, isActive, chosen }}
      icon={ListFilter}
      placeholder="Filter by labels"
      className="min-w-38"
    >
      {({ LabelCombobox }, start) => <LabelCombobox {...{ found, labels, onChange, label, start }} />}
    </ChipField>
  );
}
