import { type DashboardDefinition, type DashboardVariable, limits } from "@flamekeep/contract";
import { Card } from "#ui/content/card.tsx";
import { Field } from "#ui/controls/field.tsx";

interface SettingsFieldsProps {
  readonly draft: DashboardDefinition;
  readonly onChange: (part: Partial<DashboardDefinition>) => void;
}

/** Name, description, and the values that the dashboard has when it is opened. */
export function SettingsFields({ draft, onChange }: SettingsFieldsProps) {
  const { name, description, variables, range } = draft;
  const variable = (each: DashboardVariable, label: string, placeholder: string) => (
    <Field
      name={each}
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      maxLength={limits.serviceNameLengthMax}
      value={variables[each]}
      onChange={(event) => onChange({ variables: { ...variables, [each]: event.target.value } })}
    />
  );
  return (
    <Card className="mb-4 grid gap-4 p-4 sm:grid-cols-2 xl:grid-cols-6">
      <Field
        name="name"
        label="Name"
        required
        autoComplete="off"
        maxLength={limits.dashboardNameLengthMax}
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Field
        name="description"
        label="Description"
        autoComplete="off"
        maxLength={limits.dashboardDescriptionLengthMax}
        value={description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      {variable("service", "Default service", "checkout")}
      {variable("version", "Default version", "All")}
      {variable("region", "Default region", "All")}
      <Field
        name="range"
        label="Default range"
        placeholder="24h"
        autoComplete="off"
        maxLength={10}
        value={range}
        onChange={(event) => onChange({ range: event.target.value })}
      />
    </Card>
  );
}
