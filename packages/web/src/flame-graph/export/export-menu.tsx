import { Download } from "lucide-react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { type FormatName, formatNames, formats } from "./formats.ts";

/** The files that can be made of a graph. */
export function ExportMenu({ onExport }: { readonly onExport: (format: FormatName) => void }) {
  const hasAllFrames = useHasAllFrames();
  return (
    <Menu
      trigger={
        // Toolbars stay on one line with its icon alone.
        <Button
          variant="secondary"
          size="sm"
          className="h-8"
          title={hasAllFrames ? "Export" : "Export: loading all frames"}
          disabled={!hasAllFrames}
        >
          <Download aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="max-2xl:sr-only">Export</span>
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
