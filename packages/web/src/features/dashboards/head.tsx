import { createDashboard, type Dashboard, type DashboardDefinition, limits } from "@flamekeep/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Copy, History, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { dashboardsQuery } from "#add-to-dashboard/queries.ts";
import { call } from "#api/call.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { ShareButton } from "#sharing/share-button.tsx";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { useChange } from "#ui/overlays/use-change.ts";
import { valuesOf } from "./model.ts";
import { VariableFields } from "./variables.tsx";

type Definition = Pick<Dashboard, keyof DashboardDefinition>;

interface HeadProps {
  readonly definition: Definition;
  /** Undefined for a ready-made dashboard, which can only be copied. */
  readonly dashboard?: Dashboard;
  readonly onStep?: (step: "edit" | "versions" | "delete") => void;
}

/** Name, variables, range and actions of a dashboard. */
export function DashboardHead({ definition, dashboard, onStep }: HeadProps) {
  const search = useSearch({ from: "/protected/dashboards/$dashboardId" });
  const mayChange = useMayChange();
  const values = valuesOf(definition, search);
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h1 className="wrap-anywhere line-clamp-2 font-semibold text-page tracking-tight">
            {definition.name}
          </h1>
          {definition.description !== "" && (
            <p className="whitespace-pre-wrap text-muted">{definition.description}</p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <ShareButton
            label="Copy link"
            copied="The link shows this range and these variables"
            shared={() => undefined}
          />
          {mayChange && (
            <>
              <CopyButton definition={definition} isPrimary={dashboard === undefined} />
              {onStep && <EditButtons onStep={onStep} />}
            </>
          )}
          {!mayChange && dashboard === undefined && <ReadOnlyNote />}
        </div>
      </div>
      <div className="sticky top-16 z-20 my-3 flex flex-wrap items-center gap-2 bg-bg py-1 max-md:static">
        <VariableFields values={values} />
        <div className="ml-auto">
          <TimeRangeControl />
        </div>
      </div>
    </>
  );
}

function EditButtons({ onStep }: { readonly onStep: NonNullable<HeadProps["onStep"]> }) {
  return (
    <>
      <Button variant="primary" onClick={() => onStep("edit")}>
        <Pencil aria-hidden className="size-4" strokeWidth={1.75} />
        Edit
      </Button>
      <Menu
        trigger={
          <Button size="icon" aria-label="More actions">
            <MoreHorizontal aria-hidden className="size-4" strokeWidth={1.75} />
          </Button>
        }
      >
        <MenuItem onSelect={() => onStep("versions")}>
          <History aria-hidden strokeWidth={1.75} />
          Versions
        </MenuItem>
        <MenuItem tone="critical" onSelect={() => onStep("delete")}>
          <Trash2 aria-hidden strokeWidth={1.75} />
          Delete
        </MenuItem>
      </Menu>
    </>
  );
}

const copySuffix = " (copy)";

function copyName(name: string): string {
  return `${name.slice(0, limits.dashboardNameLengthMax - copySuffix.length)}${copySuffix}`;
}

interface CopyButtonProps {
  readonly definition: Definition;
  readonly isPrimary: boolean;
}

/** Stores the panels as another dashboard and opens it. */
function CopyButton({ definition, isPrimary }: CopyButtonProps) {
  const navigate = useNavigate();
  const { name, description, variables, range, panels } = definition;
  const copying = useChange({
    send: async () => {
      const body = {
        name: isPrimary ? name : copyName(name),
        description,
        variables,
        range,
        panels,
      };
      const made = await call(createDashboard, { body: { ...body, panels: [...panels] } });
      await navigate({ to: "/dashboards/$dashboardId", params: { dashboardId: made.id } });
      return made;
    },
    stale: [dashboardsQuery],
    done: (made) => `${made.name} is created`,
  });
  return (
    <Button
      variant={isPrimary ? "primary" : "secondary"}
      disabled={copying.isPending}
      onClick={() => copying.mutate()}
    >
      <Copy aria-hidden className="size-4" strokeWidth={1.75} />
      {isPrimary ? "Use this dashboard" : "Copy dashboard"}
    </Button>
  );
}
