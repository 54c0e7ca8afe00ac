/** What a reader sees of Markdown, about: in NFKC where that can matter, without the targets of links and the backslashes of Markdown (`max\_file\_size`). */
export function plainText(text: string): string {
  const bare = withoutLinkTargets(text);
  const normal = isAscii(bare) ? bare : bare.normalize("NFKC");
  return normal.includes("\\") ? normal.replace(/\\([\\`*_{}[\]()#+\-.!~|<>])/g, "$1") : normal;
}

/**
 * `[open](https://docs.example.org/io.html#open)` says "open": the words of the address are those of another page. Code
 * such as `handlers[name](event)` is left alone, for what is in its brackets is no address.
 */
function withoutLinkTargets(text: string): string {
  let at = text.indexOf("](");
  if (at < 0) return text;
  let bare = "";
  let from = 0;
  for (; at >= 0; at = text.indexOf("](", at + 2)) {
    LINK_TARGET.lastIndex = at + 2;
    const target = LINK_TARGET.exec(text);
    if (target === null) continue;
    bare += `${text.slice(from, at + 1)} `;
    from = at + 2 + target[0].length;
    at = from - 2;
  }
  return bare + text.slice(from);
}

/** An address or a path, with a title if it has one, and the bracket that ends it. */
const LINK_TARGET =
  /(?:<[^<>\n]{0,2000}>|(?:[a-z][a-z0-9+.-]{1,20}:|[/#.])[^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,2000})?)(?: "[^"\n]{0,500}")?\)/iy;

function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

// eslint-disable-next-line no-control-regex
const NOT_ASCII = /[^\0-\x7f]/;
