import { page, startSite, type Answer, type Route, type Site } from "./site.ts";

/** The HTML of each page of an application that scripts build. */
export const SHELL = `<!DOCTYPE html><html lang="en"><head><title>Widget</title><script type="module" src="/assets/app.js"></script></head>
<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>`;

/** An application that asks for its text as data, and knows its pages by their path. */
export const APP = `
const answer = await fetch("/data" + (location.pathname === "/" ? "/home" : location.pathname) + ".json");
const { title, text, links } = answer.ok ? await answer.json() : { title: "Page not found", text: "No such page.", links: [] };
document.title = title;
document.getElementById("root").innerHTML = "<main><h1>" + title + "</h1><p>" + text + "</p>" +
  links.map((link) => '<a href="' + link + '">' + link + "</a>").join(" ") + "</main>";
`;

const LONG =
  "Widgets are turned by hand, one quarter at a time, until the mark on the wheel meets the mark on the frame. ".repeat(
    4,
  );

/** The data of one page. */
export function data(title: string, ...links: string[]): Answer {
  return {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title, text: `${title}. ${LONG}`, links }),
  };
}

export const SCRIPT: Record<string, string> = { "content-type": "text/javascript" };

/** A site whose every address answers with the shell. */
export function startScriptSite(routes: Readonly<Record<string, Route>>): Promise<Site> {
  const otherwise: Route = (request) =>
    request.url?.startsWith("/data/") === true
      ? { status: 404, body: page("Not found") }
      : { body: SHELL, headers: { etag: '"shell"' } };
  return startSite({ "/assets/app.js": { headers: SCRIPT, body: APP }, "/made-up": otherwise, ...routes }, otherwise);
}
