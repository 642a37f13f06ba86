import { createContext, useContext } from "react";

/**
 * False while the preview of a large graph is on screen and the graph is being decoded. Its frames are right, but a figure that sums frames
 * is not: until all of them are there, such a figure says that it is loading.
 */
export const AllFramesContext = createContext(true);

export function useHasAllFrames(): boolean {
  return useContext(AllFramesContext);
}

export const pendingText = "loading all frames…";
