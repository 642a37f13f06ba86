const root = new URL("../../../../../", import.meta.url).href;

/** The file of a function without the folders of this machine: below the product's folder, else below `node_modules`, else its name. */
export function productPath(url: string, productFolder = root): string {
  if (url.startsWith(productFolder)) return url.slice(productFolder.length);
  if (!/^(file:|\/|[A-Za-z]:[\\/])/.test(url)) return url;
  const path = url.replaceAll("\\", "/");
  const at = path.lastIndexOf("/node_modules/");
  return path.slice((at === -1 ? path.lastIndexOf("/") : at) + 1);
}
