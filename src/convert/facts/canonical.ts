/**
 * The canonical URL of a page, if it can be true: on the page's own host (`www.` or not), and no address above the page, which
 * a site that is set up wrongly gives for all of its pages. "" otherwise.
 */
export function checkedCanonical(href: string, url: string): string {
  if (href === "" || !URL.canParse(href, url)) return "";
  const canonical = new URL(href, url);
  const page = new URL(url);
  if (!/^https?:$/.test(canonical.protocol) || hostOf(canonical) !== hostOf(page)) return "";
  canonical.hash = "";
  canonical.username = "";
  canonical.password = "";
  const path = folderOf(canonical.pathname);
  const isAbove =
    path !== folderOf(page.pathname) && folderOf(page.pathname).startsWith(path) && canonical.search === "";
  return isAbove ? "" : canonical.href;
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, "");
}

/** The path with a slash at its end, as if it were a folder; that of an index page is its folder. */
function folderOf(path: string): string {
  const bare = path.replace(/\/index\.html?$/, "/");
  return bare.endsWith("/") ? bare : `${bare}/`;
}
