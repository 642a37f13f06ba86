import { expect, it } from "vitest";
import { columnsOf } from "./virtual-grid.tsx";

it.each([
  [0, 1],
  [279, 1],
  [575, 1],
  [576, 2],
  [1136, 3],
  [1632, 5],
])("a width of %d px has %d columns of 280 px", (width, columns) => {
  expect(columnsOf(width, 280, 16)).toBe(columns);
});
