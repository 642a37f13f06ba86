import { z } from "zod";
import { limits } from "#base/limits.ts";
import { GraphType } from "#base/profile-type-schemas.ts";
import {
  hiddenInLineRule,
  hiddenRule,
  isReadableLine,
  isReadableText,
  isServiceName,
  normalServiceName,
} from "#base/readable.ts";
import { isRequestFigure, laneFigures, serviceVariable } from "./calls.ts";

const serviceRule = `service must be ${serviceVariable} or the name of a service, such as checkout`;

const PanelService = z
  .string()
  .overwrite(normalServiceName)
  .max(limits.serviceNameLengthMax)
  .refine((service) => service === serviceVariable || isServiceName(service), { error: serviceRule });

const OneService = PanelService.default(serviceVariable).meta({
  description: `The name of a service, or \`${serviceVariable}\`: the variable of the dashboard.`,
  example: serviceVariable,
});

/** Fields of every panel. */
const common = {
  id: z
    .string()
    .regex(/^[\w-]{1,40}$/, { error: "id of a panel must be 1 to 40 letters, digits, - or _" })
    .meta({ description: "Unique in the dashboard.", example: "cpu" }),
  title: z
    .string()
    .trim()
    .max(limits.panelTitleLengthMax)
    .refine(isReadableLine, { error: `title of a panel ${hiddenInLineRule}` })
    .default("")
    .meta({ description: "Empty: the web app names the panel by its content.", example: "CPU of the till" }),
  width: z.int().min(1).max(3).default(1).meta({ description: "Columns, of three.", example: 1 }),
};

const LanePanel = z
  .strictObject({
    kind: z.literal("lane").meta({ example: "lane" }),
    ...common,
    service: OneService,
    figure: z.enum(laneFigures).meta({
      description:
        "A figure over time: a type of profiles, or of requests the 95th percentile of their durations (`p95`) or the share that failed (`errors`).",
      example: "cpu",
    }),
    route: z
      .string()
      .min(1)
      .max(limits.ruleRouteLengthMax)
      .refine(isReadableLine, { error: `route of a panel ${hiddenInLineRule}` })
      .optional()
      .meta({
        description:
          "Of `p95` and `errors`: only requests of this route, a method and a path, or a path with all of its methods. All requests without it.",
        example: "GET /orders/{id}",
      }),
  })
  .refine(({ figure, route }) => route === undefined || isRequestFigure(figure), {
    error: "route of a panel needs the figure p95 or errors: profiles have no route",
    path: ["route"],
  });

const FlameGraphPanel = z.strictObject({
  kind: z.literal("flame_graph").meta({ example: "flame_graph" }),
  ...common,
  service: OneService,
  type: GraphType,
});

const TopPanel = z.strictObject({
  kind: z.literal("top").meta({ description: "The functions with the largest self value.", example: "top" }),
  ...common,
  service: OneService,
  type: GraphType,
});

const RoutesPanel = z.strictObject({
  kind: z.literal("routes").meta({
    description: "HTTP routes of a service with rate, p95 and errors.",
    example: "routes",
  }),
  ...common,
  service: OneService,
});

const AlertsPanel = z.strictObject({
  kind: z.literal("alerts").meta({ description: "Open alerts.", example: "alerts" }),
  ...common,
  service: PanelService.nullable().default(null).meta({
    description: "Null: of all services.",
    example: null,
  }),
});

const NotePanel = z.strictObject({
  kind: z.literal("note").meta({ example: "note" }),
  ...common,
  text: z
    .string()
    .max(limits.panelNoteLengthMax)
    .refine(isReadableText, { error: `text of a note ${hiddenRule}` })
    .meta({
      description: "Plain text; line breaks are kept.",
      example: "On call: look at lock wait first.",
    }),
});

const kinds = [LanePanel, FlameGraphPanel, TopPanel, RoutesPanel, AlertsPanel, NotePanel] as const;

export const DashboardPanel = z
  .discriminatedUnion("kind", kinds, {
    error: `kind of a panel must be one of ${kinds.map(({ shape }) => shape.kind.value).join(", ")}`,
  })
  .meta({ id: "DashboardPanel" });
export type DashboardPanel = z.output<typeof DashboardPanel>;
export type PanelKind = DashboardPanel["kind"];
export type PanelOf<K extends PanelKind> = Extract<DashboardPanel, { readonly kind: K }>;
