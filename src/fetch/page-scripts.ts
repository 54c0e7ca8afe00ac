/**
 * What is run in a page to take its content as HTML: the document as it stands, with each open shadow root in the place of
 * its host's children and each slot filled, since HTML as text has neither; without scripts, styles and templates, which have
 * done their work. A text, for it is not run here.
 */
export const FLATTENED_DOM = String.raw`(() => {
  const GONE = new Set(["script", "style", "noscript", "template", "iframe", "object", "embed"]);
  const inert = document.implementation.createHTMLDocument("");
  const isData = (node) => node.localName === "script" && /json/i.test(node.type);
  const childrenOf = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    const assigned = node.localName === "slot" ? node.assignedNodes() : [];
    return assigned.length > 0 ? assigned : node.childNodes;
  };
  const copyOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return inert.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return undefined;
    if (GONE.has(node.localName) && !isData(node)) return undefined;
    const copy = inert.importNode(node, false);
    for (const child of childrenOf(node)) {
      const part = copyOf(child);
      if (part !== undefined) copy.appendChild(part);
    }
    return copy;
  };
  return "<!DOCTYPE html>" + copyOf(document.documentElement).outerHTML;
})()`;

/**
 * What each document begins with: nothing is stored, as at a reader's first visit, and the data that its scripts ask for is
 * counted, for on a busy machine a while passes between a script's asking and our hearing of it.
 */
export const BEGIN_DOCUMENT = String.raw`(() => {
  try { localStorage.clear(); sessionStorage.clear(); } catch {}
  let pending = 0;
  const begun = () => { pending++; };
  const ended = () => { pending--; };
  const { fetch } = window;
  window.fetch = function (...given) {
    begun();
    const answer = fetch.apply(this, given);
    answer.then(ended, ended);
    return answer;
  };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...given) {
    const result = send.apply(this, given);
    if (this.readyState === 4) return result;
    begun();
    this.addEventListener("loadend", ended, { once: true });
    return result;
  };
  Object.defineProperty(window, "carrelPending", { get: () => pending });
})()`;

/** What changes while a page is still being built: whether it is loading, waits for data, how many elements and characters it has. */
export const SIZE_OF_DOM = String.raw`(() => {
  const { documentElement: root } = document;
  const state = window.carrelPending > 0 ? "waiting" : document.readyState;
  return root === null ? "loading" : state + " " + document.getElementsByTagName("*").length + " " + (root.textContent || "").length;
})()`;
