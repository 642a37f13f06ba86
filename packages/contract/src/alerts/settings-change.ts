import { z } from "zod";
import { limits } from "#base/limits.ts";
import {
  type AlertChannel,
  type ChannelField,
  type ChannelForm,
  channelForms,
  type FormOf,
} from "./channels.ts";

type Field = FormOf<AlertChannel>["fields"][number];

/** The schema of an option of a choice. */
export type OptionOf<F> = F extends { options: readonly { value: infer V extends string }[] }
  ? z.ZodEnum<{ [K in V]: K }>
  : never;

export function optionOf({ options }: ChannelField & { readonly kind: "choice" }) {
  return z.enum(options.map(({ value }) => value));
}

interface Schemas<F> {
  readonly url: z.ZodOptional<z.ZodNullable<z.ZodURL>>;
  readonly key: z.ZodOptional<z.ZodNullable<z.ZodString>>;
  readonly secret: z.ZodOptional<z.ZodNullable<z.ZodString>>;
  readonly choice: z.ZodOptional<OptionOf<F>>;
  readonly list: z.ZodOptional<z.ZodArray<z.ZodEmail>>;
}

function schemaOf(field: ChannelField) {
  const { name } = field;
  switch (field.kind) {
    case "url":
      return deliveryUrl(name).nullable().optional();
    case "key":
      return z
        .string()
        .regex(field.pattern, { error: `${name} must be ${field.format}` })
        .nullable()
        .optional();
    case "secret":
      return z
        .string()
        .min(field.lengthMin, { error: `${name} must be at least ${field.lengthMin} characters long` })
        .max(field.lengthMax, { error: `${name} must be at most ${field.lengthMax} characters long` })
        .nullable()
        .optional();
    case "choice":
      return optionOf(field).optional();
    case "list":
      return z.array(z.email().max(limits.emailLengthMax)).max(field.itemsMax).optional();
  }
}

function deliveryUrl(name: string) {
  const error = `${name} must be an http or https URL without a name and password in it`;
  return z
    .url({ protocol: /^https?$/, error })
    .max(limits.deliveryUrlLengthMax)
    .refine((url) => !/^https?:[/\\]*[^/\\?#]*@/i.test(url), { error });
}

const fields = Object.values<ChannelForm>(channelForms).flatMap((form) => form.fields);

export const AlertSettingsChange = z.object(
  Object.fromEntries(fields.map((field) => [field.name, schemaOf(field).meta(field.meta)])) as unknown as {
    readonly [F in Field as F["name"]]: Schemas<F>[F["kind"]];
  },
);
export type AlertSettingsChange = z.input<typeof AlertSettingsChange>;
