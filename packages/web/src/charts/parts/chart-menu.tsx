import { Download, FileSpreadsheet, Image } from "lucide-react";
import type { RefObject } from "react";
import type UPlot from "uplot";
import { saveFile } from "#api/save-file.ts";
import type { ColoredSeries } from "#charts/chart.ts";
import { csvText } from "#charts/model/csv.ts";
import type { ChartUnit } from "#charts/model/units.ts";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { chartPicture } from "./chart-picture.ts";

interface ChartMenuProps {
  readonly label: string;
  readonly timesMs: readonly number[];
  readonly unit: ChartUnit;
  readonly series: readonly ColoredSeries[];
  readonly plot: RefObject<UPlot | null>;
}

export function ChartMenu({ label, timesMs, unit, series, plot }: ChartMenuProps) {
  const name = label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");

  async function savePng() {
    const picture = plot.current === null ? null : await chartPicture(plot.current, label, series);
    if (picture === null) showToast("The picture could not be made", "critical");
    else saveFile(`${name}.png`, picture);
  }

  function saveCsv() {
    saveFile(`${name}.csv`, new Blob([csvText(timesMs, series, unit)], { type: "text/csv" }));
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
      <MenuItem onSelect={saveCsv}>
        <FileSpreadsheet aria-hidden /> Values (CSV)
      </MenuItem>
    </Menu>
  );
}
