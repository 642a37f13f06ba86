/**
 * Link parameters that drop the references to frames, for a link to another tree: another range, sample type, filter or scale. A
 * reference is a position among siblings sorted by width, so it names another frame in any other tree.
 */
export const withoutFrameRefs = { zoom: undefined, focus: undefined, callers: undefined } as const;
