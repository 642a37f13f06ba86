import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import {
  hiddenInLineRule,
  hiddenRule,
  isReadableLine,
  isReadableText,
  isServiceName,
  normalServiceName,
  readableLine,
} from "#base/readable.ts";
import { Count, givenName, listPage, NextCursor, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";
import { projectStatuses } from "./calls.ts";

export const ProjectStatus = z.enum(projectStatuses).meta({ example: "active" });
export type ProjectStatus = z.output<typeof ProjectStatus>;

export const Project = z
  .object({
    id: z.string().meta({
      description: "A UUID; of a project derived from a service, the service's name.",
      example: "checkout",
    }),
    name: z.string().meta({ example: "checkout" }),
    description: z.string().meta({ example: "Service: checkout" }),
    status: ProjectStatus,
    tags: z.array(z.string()).meta({ example: ["payments", "go"] }),
    services: z.array(ServiceName).meta({
      description:
        "The services of a group. Empty for a project that has the profiles of the service of its name.",
      example: ["checkout", "cart"],
    }),
    member_count: Count.meta({ description: "0 for derived projects.", example: 0 }),
    profile_count: Count.meta({
      description:
        "Stored profiles of its services, or of the service of its name, without batches of HTTP metrics.",
      example: 432,
    }),
    created_at: Instant.meta({ description: "90 days before now for derived projects." }),
    last_activity: Instant.meta({
      description: "Start of the latest profile, at most now; without profiles, the latest change.",
    }),
    is_derived: z.boolean().meta({
      description: "Whether it was derived from a service without a created project.",
      example: true,
    }),
  })
  .meta({ id: "Project" });
export type Project = z.output<typeof Project>;

const ProjectName = givenName("Project name", limits.projectNameLengthMax).meta({ example: "checkout" });

const Description = z
  .string()
  .trim()
  .max(limits.projectDescriptionLengthMax)
  .refine(isReadableText, { error: `Project description ${hiddenRule}` })
  .meta({ example: "The till" });

/** Trimmed; empty and repeated entries are dropped. */
const Tags = z
  .array(
    z
      .string()
      .trim()
      .max(limits.projectTagLengthMax)
      .refine(isReadableLine, { error: `A tag ${hiddenInLineRule}` }),
  )
  .max(limits.projectTagsMax)
  .transform((tags) => [...new Set(tags.filter((tag) => tag !== ""))])
  .meta({ example: ["payments", "go"] });

/** Services that have not sent anything yet may be named. */
const Services = z
  .array(
    z
      .string()
      .overwrite(normalServiceName)
      .refine(isServiceName, {
        error: ({ input }) =>
          `“${readableLine(String(input)).slice(0, 60)}” is not the name of a service: use up to ${limits.serviceNameLengthMax} letters, digits and _ . - / :`,
      }),
  )
  .max(limits.projectServicesMax, {
    error: ({ input }) =>
      `A project can have ${limits.projectServicesMax} services, not ${(input as unknown[]).length}: remove some`,
  })
  .refine((services) => new Set(services).size === services.length, {
    error: ({ input }) => `${repeatedIn(input as string[])} is listed twice: name each service once`,
  })
  .meta({
    description: `Makes the project a group of these services, at most ${limits.projectServicesMax}.`,
    example: ["checkout", "cart"],
  });

function repeatedIn(services: readonly string[]): string | undefined {
  return services.find((service, at) => services.indexOf(service) < at);
}

/** Path parameters of calls about one project. */
export const ProjectParams = z.object({
  id: z.string().min(1).max(limits.serviceNameLengthMax).meta({ example: "checkout" }),
});

const ServiceGauges = z
  .object({
    service: ServiceName,
    memory_bytes: z
      .number()
      .nullable()
      .meta({ description: "Mean heap in use of the heap profiles; null without any.", example: 48_339_012 }),
    goroutines: z
      .number()
      .nullable()
      .meta({ description: "Mean of the goroutine profiles; null without any.", example: 214 }),
  })
  .meta({ id: "ServiceGauges" });
export type ServiceGauges = z.output<typeof ServiceGauges>;

const ProjectReply = z.object({ project: Project });

const endpoint = endpointIn("Projects");

export const projectEndpoints = [
  endpoint(calls.listProjects, {
    isOpenToOtherOrganizations: true,
    summary: "Projects of the organization",
    description: "Created projects, and a derived one for each service without a created project.",
    query: z.object({
      q: z.string().max(limits.searchLengthMax).default("").meta({
        description:
          "Only projects with all words of this text in their name, description or tags, in any case, or with this text as id.",
        example: "pay",
      }),
      created_only: z
        .stringbool()
        .default(false)
        .meta({ description: "true leaves out derived projects.", example: "true" }),
      order: z.enum(calls.projectOrders).default("activity").meta({
        description:
          "The latest activity first, or by `name`: those with the id or name `q` first, then those that begin with its first word. Read all pages by `name`: a project that becomes active moves to an earlier page between two calls.",
      }),
      ...listPage,
    }),
    reply: z.object({
      projects: z.array(Project),
      next_cursor: NextCursor,
      total: Count.meta({ description: "Projects that match, listed or not.", example: 12 }),
      totals: z
        .object({
          projects: Count.meta({ example: 12 }),
          active: Count.meta({ example: 11 }),
          profiles: Count.meta({ description: "Stored, of all of them.", example: 5184 }),
        })
        .meta({ description: "Of all projects, listed or not." }),
      team_members: Count.meta({
        description: "Members of the organization, who all have access to its projects.",
        example: 4,
      }),
    }),
  }),
  endpoint(calls.getProject, {
    isOpenToOtherOrganizations: true,
    summary: "A project",
    params: ProjectParams,
    reply: ProjectReply,
    failures: ["not_found"],
  }),
  endpoint(calls.projectFigures, {
    isOpenToOtherOrganizations: true,
    summary: "Memory and goroutines of the services of a project",
    description:
      "Of one instance of each service, means over the range. Of created projects; a derived one has the calls of its service.",
    params: ProjectParams,
    query: z.object(rangeFields("24h")),
    reply: z.object({
      services: z.array(ServiceGauges).meta({ description: "All services of the project, in its order." }),
    }),
    failures: ["not_found"],
  }),
  endpoint(calls.organizationFigures, {
    isOpenToOtherOrganizations: true,
    summary: "Memory and goroutines of all services, added up",
    description: "Of one instance of each service, means over the range.",
    query: z.object(rangeFields("24h")),
    reply: ServiceGauges.omit({ service: true }),
  }),
  endpoint(calls.createProject, {
    summary: "Create a project",
    description:
      "With `services`, it is a group of them. Without, it has the profiles of the service of its name.",
    body: z.object({
      name: ProjectName,
      description: Description.default(""),
      tags: Tags.default([]),
      services: Services.default([]),
    }),
    reply: ProjectReply,
    status: 201,
    failures: ["quota_exceeded"],
  }),
  endpoint(calls.updateProject, {
    summary: "Change a project",
    description: "Fields that are left out stay as they are. Changes of derived projects are stored too.",
    params: ProjectParams,
    body: z.object({
      name: ProjectName.optional(),
      description: Description.optional(),
      status: ProjectStatus.optional(),
      tags: Tags.optional(),
      services: Services.optional().meta({
        description: "All services of the group. Only of created projects.",
        example: ["checkout", "cart"],
      }),
    }),
    reply: ProjectReply,
    failures: ["not_found"],
  }),
  endpoint(calls.deleteProject, {
    summary: "Delete a project",
    description:
      "The profiles stay. A derived project is hidden, and stays hidden when its service sends more profiles.",
    params: ProjectParams,
    reply: z.object({ id: z.string().meta({ example: "checkout" }) }),
    failures: ["not_found"],
  }),
] as const;
