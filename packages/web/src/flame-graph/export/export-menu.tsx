import { Download } from "lucide-react";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { type FormatName, formatNames, formats } from "./formats.ts";

/** The files that can be made of a graph. */
export function ExportMenu({ onExport }: { readonly onExport: (format: FormatName) => void }) {
  return (
    <Menu
      trigger={
        <Button variant="secondary" size="sm" className="h-8">
          <Download aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="max-sm:sr-only">Export</span>
        </Button>
      }
    >
      {formatNames.map((name) => (
        <MenuItem key={name} onSelect={() => onExport(name)}>
          {formats[name].label}
        </MenuItem>
      ))}
    </Menu>
  );
}
