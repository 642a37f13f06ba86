/** Message of the RangeError for a frame that a graph does not have. Errors of a thread keep their message, but not their class. */
export const unknownFrameText = (root: string): string => `The graph has no frame ${JSON.stringify(root)}`;
