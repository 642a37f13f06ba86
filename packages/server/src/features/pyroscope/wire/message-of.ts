import type { MessageName, messageEnums, messages } from "@flamekeep/contract/schemas";

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

type Value<T> = T extends readonly [infer E]
  ? Value<E>[]
  : T extends `${infer Base}?`
    ? Value<Base> | undefined
    : T extends "string"
      ? string
      : T extends "bytes"
        ? Uint8Array
        : T extends "bool"
          ? boolean
          : T extends "int64" | "uint64"
            ? bigint
            : T extends "int32" | "uint32" | "double" | keyof typeof messageEnums
              ? number
              : T extends MessageName
                ? MessageOf<T> | undefined
                : never;

/** The fields of a message, named as in JSON. Those of messages and those that can be absent are undefined without a value. */
export type MessageOf<N extends MessageName> = {
  -readonly [F in keyof (typeof messages)[N] as F extends string
    ? Camel<F>
    : never]: (typeof messages)[N][F] extends readonly [number, infer T] ? Value<T> : never;
};
