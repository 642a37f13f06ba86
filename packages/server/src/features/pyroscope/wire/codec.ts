import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import {
  jsonName,
  type MessageFields,
  type MessageName,
  messageEnums,
  messages,
} from "@flamekeep/contract/schemas";
import { invalid } from "#failure";
import { parseJson } from "#json/parse-json.ts";
import { jsonDepthMax } from "#json/scan-json.ts";
import type { MessageOf } from "./message-of.ts";

/** The messages of the contract as descriptors of the library. Names of messages do not travel, only numbers of fields. */
const packageName = "flamekeep.readers";
const scalars: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
  bool: FieldDescriptorProto_Type.BOOL,
  int32: FieldDescriptorProto_Type.INT32,
  int64: FieldDescriptorProto_Type.INT64,
  uint32: FieldDescriptorProto_Type.UINT32,
  uint64: FieldDescriptorProto_Type.UINT64,
  double: FieldDescriptorProto_Type.DOUBLE,
};

function fieldOf(name: string, [number, type]: MessageFields[string]) {
  const isList = typeof type !== "string";
  const given = isList ? type[0] : type;
  const isOptional = given.endsWith("?");
  const named = given.replace("?", "");
  const scalar = scalars[named];
  const kind =
    scalar ?? (named in messageEnums ? FieldDescriptorProto_Type.ENUM : FieldDescriptorProto_Type.MESSAGE);
  return {
    name,
    number,
    jsonName: jsonName(name),
    label: isList ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    type: kind,
    ...(scalar === undefined && { typeName: `.${packageName}.${named}` }),
    ...(isOptional && { proto3Optional: true }),
  };
}

function messageType(name: string, fields: MessageFields) {
  const field = Object.entries(fields).map(([each, definition]) => fieldOf(each, definition));
  // Each field that can be absent is the only one of a oneof: so protobuf describes it.
  const optional = field.filter((each) => "proto3Optional" in each);
  return {
    name,
    field: field.map((each) => ({
      ...each,
      ...("proto3Optional" in each && { oneofIndex: optional.indexOf(each) }),
    })),
    oneofDecl: optional.map((each) => ({ name: `_${each.name}` })),
  };
}

const registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: "readers.proto",
    package: packageName,
    syntax: "proto3",
    messageType: Object.entries(messages).map(([name, fields]) => messageType(name, fields)),
    enumType: Object.entries(messageEnums).map(([name, values]) => ({
      name,
      value: values.map((value, number) => ({ name: value, number })),
    })),
  }),
  () => undefined,
);

function descriptorOf(name: MessageName): DescMessage {
  return registry.getMessage(`${packageName}.${name}`)!;
}

/** Reads a request. Unknown fields are left out. Throws `invalid` for bytes that are no such message. */
export function readMessage<N extends MessageName>(
  name: N,
  bytes: Uint8Array,
  isJson: boolean,
): MessageOf<N> {
  const descriptor = descriptorOf(name);
  try {
    const message = isJson
      ? fromJson(descriptor, jsonOf(bytes), { ignoreUnknownFields: true })
      : fromBinary(descriptor, bytes);
    return message as unknown as MessageOf<N>;
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "it cannot be read";
    throw invalid(
      `The message is not ${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}: ${reason.toWellFormed()}`,
    );
  }
}

function jsonOf(bytes: Uint8Array): JsonValue {
  if (bytes.length === 0) return {};
  return parseJson(bytes, { depthMax: jsonDepthMax, bytesMax: bytes.length }) as JsonValue;
}

/** A reply in the codec of its request. */
export function writeMessage<N extends MessageName>(
  name: N,
  value: MessageOf<N>,
  isJson: boolean,
): Uint8Array {
  const descriptor = descriptorOf(name);
  const message = create(descriptor, value as never);
  return isJson ? Buffer.from(toJsonString(descriptor, message)) : toBinary(descriptor, message);
}
