/** How the fragment of an operation begins, in the way of the common viewers of API descriptions. */
const OPERATION = "operation/";

/** What the documents of operations are called after the name of their page, and the fragment that leads to them. */
export function operationPlace(id: string): { readonly path: string; readonly fragment: string } {
  const encoded = encodeURIComponent(id);
  return { path: `operations/${encoded}`, fragment: OPERATION + encoded };
}

/** The name of a part of a page; parameters stay at the end. */
export function partName(pageName: string, path: string): string {
  const query = pageName.indexOf("?");
  const end = query === -1 ? pageName.length : query;
  return `${pageName.slice(0, end)}/${path}${pageName.slice(end)}`;
}

/** The name of the part that a fragment of a page's URL leads to; undefined when it is no fragment of a part. */
export function partNameOfFragment(pageName: string, fragment: string): string | undefined {
  if (!fragment.startsWith(OPERATION)) return undefined;
  try {
    return partName(pageName, operationPlace(decodeURIComponent(fragment.slice(OPERATION.length))).path);
  } catch {
    return undefined;
  }
}
