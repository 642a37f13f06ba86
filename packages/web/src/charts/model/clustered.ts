/** Markers whose positions are closer than `distance` become one. Expects ascending positions. */
export function clustered<T>(items: readonly T[], positionOf: (item: T) => number, distance: number): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group !== undefined && positionOf(item) - positionOf(group[0]!) < distance) group.push(item);
    else groups.push([item]);
  }
  return groups;
}
