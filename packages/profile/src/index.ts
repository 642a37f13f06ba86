export type { FrameTable, StackTable, ValueType } from "./stacks.ts";
