/** First elements of the paths of Go's standard library. */
const firstElements = new Set(
  (
    "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar " +
    "flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp " +
    "slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak vendor"
  ).split(" "),
);

/** Whether a package is of Go's standard library by its path: a path of anybody else's begins with a host, or should. */
export function isStandardLibrary(packageName: string): boolean {
  const end = packageName.indexOf("/");
  return firstElements.has(end === -1 ? packageName : packageName.slice(0, end));
}
