/** The members have changed: a part has several owners now. */
class SeveralOwners extends Error {}

/**
 * Runs an operation for the part of each owner, and for smaller parts where the owners change meanwhile.
 *
 * @param run gets a part, and what is to be called before each attempt: it throws once the part has several owners
 */
export async function forEachOwner<T, R>(
  all: readonly T[],
  ownerOf: (each: T) => string,
  run: (part: readonly [T, ...T[]], requireOneOwner: () => void) => Promise<R>,
): Promise<readonly R[]> {
  const parts = (some: readonly T[]) => [...Map.groupBy(some, ownerOf).values()] as [T, ...T[]][];
  const running = parts(all).map(async (part) => {
    const requireOneOwner = () => {
      if (parts(part).length > 1) throw new SeveralOwners();
    };
    try {
      return [await run(part, requireOneOwner)];
    } catch (error) {
      if (error instanceof SeveralOwners) return forEachOwner(part, ownerOf, run);
      throw error;
    }
  });
  // All end before an error is thrown: their memory is reserved until then.
  await Promise.allSettled(running);
  return (await Promise.all(running)).flat();
}
