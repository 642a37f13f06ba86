import { Download, FileSpreadsheet, Image } from "lucide-react";
import type { RefObject } from "react";
import type UPlot from "uplot";
import { importOnce } from "#api/import-page.ts";
import { useZone } from "#preferences/time-zone.ts";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import type { ExportedChart } from "./chart-files.ts";

interface ChartMenuProps extends ExportedChart {
  readonly plot: RefObject<UPlot | null>;
}

// Few people export a chart.
const loadFiles = importOnce(() => import("./chart-files.ts"));

export function ChartMenu({ plot, ...chart }: ChartMenuProps) {
  const { label } = chart;
  const zone = useZone();

  async function savePng() {
    const { savePicture } = await loadFiles();
    if (!(await savePicture(plot.current, chart, zone)))
      showToast("Could not export the picture", "critical");
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Export ${label}`}
          title="Export"
          className="grid h-7 w-7 shrink-0 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text max-md:h-10 max-md:w-10"
        >
          <Download aria-hidden className="size-3.5" strokeWidth={1.75} />
        </button>
      }
    >
      <MenuItem onSelect={() => void savePng()}>
        <Image aria-hidden /> Picture (PNG)
      </MenuItem>
      <MenuItem onSelect={() => void loadFiles().then(({ saveValues }) => saveValues(chart))}>
        <FileSpreadsheet aria-hidden /> Values (CSV)
      </MenuItem>
    </Menu>
  );
}
