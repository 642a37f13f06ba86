import type { Call, ReplyOf } from "@flamekeep/contract";
import { graphTypes, limits } from "@flamekeep/contract";
import { z } from "zod";
import type * as tasks from "#mcp/text/tasks.ts";
import { type Decoders, taskFile } from "#stacks/pool.ts";

export const mcpTasks = taskFile<typeof tasks>(new URL("../text/tasks.ts", import.meta.url));

/** Calls an endpoint that only reads, for the organization of the key. */
export interface Read {
  <C extends Call>(call: C, request?: ReadRequest): Promise<ReplyOf<C>>;
  /** Calls an endpoint that changes something; refused unless the key may write. */
  readonly write: <C extends Call>(call: C, request: WriteRequest) => Promise<ReplyOf<C>>;
  /** Whether `write` may make the call. */
  readonly mayWrite: (call: Call) => boolean;
  /** The columns of a flame graph. */
  readonly columns: (call: Call, request: ReadRequest) => Promise<Uint8Array>;
  readonly decoders: Pick<Decoders, "run">;
  readonly now: () => Date;
  /** The address of the app, for links. */
  readonly publicUrl: string;
}

export interface ReadRequest {
  readonly params?: object;
  readonly query?: object;
}

export interface WriteRequest {
  readonly params: object;
  readonly body?: object;
}

/** A tool that coding agents call. Its answer is a text of a bounded number of lines: an agent gets a page of it. */
export interface Tool<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: S;
  /** The call with which it changes something. Agents that may not make it do not see the tool. */
  readonly writes?: Call;
  run(read: Read, input: z.output<S>): Promise<string>;
}

/** Checks that `run` fits the schema of the input. */
export function tool<S extends z.ZodObject>(definition: Tool<S>): Tool {
  return definition as unknown as Tool;
}

const momentText = "a span back from now such as 90m, 24h or 7d, or an ISO 8601 time";

/** Fields that several tools have. */
export const fields = {
  service: z
    .string()
    .min(1)
    .max(limits.serviceNameLengthMax)
    .describe("Name of the service, from list_services."),
  type: z.enum(graphTypes).describe("Kind of profile."),
  from: z.string().max(40).default("1h").describe(`Start of the range: ${momentText}.`),
  to: z.string().max(40).default("now").describe("End of the range."),
  tags: z
    .record(z.string().max(limits.tagNameLengthMax), z.string().max(limits.tagNameLengthMax))
    .default({})
    .describe('Only profiles with these tags, such as {"version": "1.4.2"}.'),
  labels: z
    .record(z.string().max(limits.tagNameLengthMax), z.string().max(limits.labelValueLengthMax))
    .default({})
    .describe('Only samples with these labels, such as {"handler": "/checkout"}; see list_labels.'),
  sampleType: z
    .string()
    .max(limits.sampleTypeLengthMax)
    .optional()
    .describe(
      "What to count, such as alloc_space or inuse_space of memory profiles. By default the main one.",
    ),
};

export function tagQuery(tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [`tag.${name}`, value]));
}

export function labelQuery(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([name, value]) => `${name}:${value}`);
}
