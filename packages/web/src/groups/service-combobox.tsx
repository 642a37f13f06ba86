import { Combobox } from "@base-ui/react/combobox";
import { Server } from "lucide-react";
import { useState } from "react";
import { useServiceNames } from "#profile-list/service-field.tsx";
import { Chip, ChipInput, Option, OptionList } from "#ui/controls/chip-combobox.tsx";
import type { FieldStart } from "#ui/controls/chip-field.tsx";
import { serviceOptions } from "./draft.ts";

interface ServiceComboboxProps {
  readonly services: readonly string[];
  readonly onChange: (services: readonly string[]) => void;
  readonly label: string;
  readonly start: FieldStart;
}

/** Completes names from the services with data; others can be typed, because they may send later. */
export function ServiceCombobox({ services, onChange, label, start }: ServiceComboboxProps) {
  const [isOpen, setOpen] = useState(start.isOpen);
  const [text, setText] = useState(start.text);
  const known = useServiceNames(text);
  return (
    <Combobox.Root
      multiple
      items={serviceOptions(known ?? [], services, text)}
      filter={null}
      value={[...services]}
      onValueChange={(next: string[], { reason }) => {
        // Escape closes the list; it must not remove the services.
        if (reason !== "escape-key") onChange(next);
      }}
      inputValue={text}
      onInputValueChange={setText}
      open={isOpen}
      onOpenChange={setOpen}
      autoHighlight
    >
      <ChipInput
        icon={Server}
        label={label}
        isActive={start.hasFocus}
        placeholder={services.length === 0 ? "checkout" : ""}
        className="min-w-0"
      >
        {services.map((service) => (
          <Chip key={service} name={service} removeLabel={`Remove ${service}`} className="max-w-56">
            <span className="truncate">{service}</span>
          </Chip>
        ))}
      </ChipInput>
      <OptionList empty={known === undefined ? "Loading services..." : "No service has this name."}>
        {(service: string) => (
          <Option key={service} value={service}>
            <span className="min-w-0 flex-1 truncate">{service}</span>
            {known?.includes(service) === false && (
              <span className="shrink-0 text-label text-muted">no data yet</span>
            )}
          </Option>
        )}
      </OptionList>
    </Combobox.Root>
  );
}
