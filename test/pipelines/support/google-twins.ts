import { devsite, go, javadoc, jaspr, material, plain, sphinx, starlight, type Shape } from "./page-shapes.ts";

/** A made-up site in the shape of a real one. */
export interface Twin {
  readonly host: string;
  readonly shape: Shape;
  /** Paths of pages that are documents; "/" is among them. */
  readonly pages: readonly string[];
  /** Paths with queries that are there, are linked to and listed, and must never be asked for. */
  readonly out: readonly string[];
  /** Pages that another generator made. */
  readonly shapes?: Readonly<Record<string, Shape>>;
  /** Where its sitemap is; "" for a site without. DevSite has an index of several. */
  readonly sitemap: string;
  /** Lines of its robots.txt for everyone. */
  readonly robots?: string;
  /** Whether it has an llms.txt that names the Markdown of its pages. */
  readonly hasLlmsTxt?: boolean;
}

const BLOG = ["/blog", "/blog/new"];

/** What DevSite adds to a page: other languages, a print twin, Markdown, its search. */
function devsiteTwins(pages: readonly string[]): readonly string[] {
  return pages.flatMap((path) => [
    `${path}?hl=de`,
    `/intl/de${path}`,
    `${path.replace(/\/$/, "")}/printable`,
    `${path === "/" ? "/index" : path}.md.txt`,
  ]);
}

function devsiteTwin(host: string, pages: readonly string[], out: readonly string[] = []): Twin {
  const all = ["/", ...pages];
  return {
    host,
    shape: devsite,
    pages: all,
    out: [...BLOG, ...devsiteTwins(all), "/s/results", "/private/draft", ...out],
    sitemap: "/sitemap.xml",
    robots: "Disallow: /s/\nDisallow: /private/",
  };
}

const LIBRARIES = ["cpp", "dotnet", "go", "java", "nodejs", "php", "python", "ruby", "rust"];

/** Twins of the hosts that Google's Developer Knowledge covers. */
export const TWINS: readonly Twin[] = [
  {
    host: "adk.dev",
    shape: material,
    pages: [
      "/",
      "/get-started/",
      "/agents/llm-agents/",
      "/api-reference/python/google-adk.html",
      "/api-reference/java/Agent.html",
    ],
    shapes: { "/api-reference/python/google-adk.html": sphinx, "/api-reference/java/Agent.html": javadoc },
    out: [...BLOG, "/_includes/hero/", "/api-reference/java/legal/jquery.html"],
    sitemap: "/sitemap.xml",
  },
  devsiteTwin(
    "developer.android.com",
    ["/guide", "/reference/android/print/PrintManager", "/tv", "/ai"],
    ["/sdk/api_diff/35/changes"],
  ),
  devsiteTwin("docs.apigee.com", ["/api-platform/get-started", "/hybrid/v1.14/what-is-hybrid"]),
  devsiteTwin("developer.chrome.com", ["/docs/extensions", "/docs/extensions/reference/api/tabs"]),
  {
    host: "dart.dev",
    shape: jaspr,
    pages: ["/", "/language", "/tools/linter-rules/always_specify_types", "/null-safety"],
    out: BLOG,
    sitemap: "/sitemap.xml",
  },
  devsiteTwin("firebase.google.com", ["/docs/auth", "/docs/reference/js/auth"], ["/support/troubleshooter/contact"]),
  {
    host: "docs.flutter.dev",
    shape: jaspr,
    pages: ["/", "/ui/widgets", "/get-started/install"],
    out: [...BLOG, "/ui/widgets/index.html.md"],
    sitemap: "/sitemap.xml",
  },
  devsiteTwin("fuchsia.dev", ["/fuchsia-src/concepts", "/reference/fidl/fuchsia.io"]),
  {
    host: "geminicli.com",
    shape: starlight,
    pages: ["/", "/docs/", "/docs/cli/gemini-md/", "/docs/tools/mcp-server/"],
    out: [...BLOG, "/docs/cli/gemini-md.md"],
    sitemap: "",
    hasLlmsTxt: true,
  },
  {
    host: "genkit.dev",
    shape: starlight,
    pages: ["/", "/docs/get-started/", "/docs/flows/"],
    out: [...BLOG, "/docs/flows.md"],
    sitemap: "/sitemap-index.xml",
    hasLlmsTxt: true,
  },
  {
    host: "go.dev",
    shape: go,
    pages: ["/", "/doc/", "/doc/effective_go", "/ref/spec", "/wiki/", "/wiki/CommonMistakes"],
    out: [...BLOG, "/dl/", "/play/", "/tour/", "/cl/123", "/issue/5", "/src/fmt/print.go", "/pkg/fmt/"],
    sitemap: "",
  },
  devsiteTwin("ai.google.dev", ["/gemini-api/docs", "/gemma/docs/core"]),
  {
    host: "antigravity.google",
    shape: plain,
    pages: ["/", "/docs/get-started", "/docs/mcp"],
    out: BLOG,
    sitemap: "/sitemap.xml",
  },
  {
    host: "cloud.google.com",
    shape: plain,
    pages: ["/", "/products/compute", "/learn/what-is-kubernetes", "/storage/pricing"],
    shapes: { "/storage/pricing": devsite },
    out: [...BLOG, "/customers/bank", "/storage/pricing?hl=de", "/intl/de/products/compute", "/partners"],
    sitemap: "/sitemap.xml",
  },
  devsiteTwin(
    "docs.cloud.google.com",
    [
      "/storage/docs/creating-buckets",
      "/storage/docs/reference/rest",
      "/java/docs/setup",
      "/sdk/gcloud/reference/storage",
    ],
    LIBRARIES.flatMap((name) => [`/${name}/docs/reference`, `/${name}/docs/reference/latest/Client`]),
  ),
  devsiteTwin(
    "developers.google.com",
    ["/maps/documentation", "/ar/develop", "/search/docs/essentials"],
    ["/search/blog", "/search/blog/2026/01/news", "/profile/u/me"],
  ),
  devsiteTwin("developers.home.google.com", ["/matter", "/cloud-to-cloud/traits"]),
  {
    host: "mapsplatform.google.com",
    shape: plain,
    pages: ["/", "/pricing/", "/maps-products/grounding/"],
    out: [...BLOG, "/resources/blog/new/", "/case-studies/taxi/", "/intl/de/pricing/"],
    sitemap: "/sitemap.xml",
  },
  {
    host: "knowledge.workspace.google.com",
    shape: plain,
    pages: ["/", "/admin/", "/admin/gmail/advanced/route-outgoing", "/admin/reports/admin-log-events"],
    out: [...BLOG, "/admin/?hl=de", "/intl/de/admin/"],
    sitemap: "/sitemap.xml",
  },
  devsiteTwin(
    "www.tensorflow.org",
    ["/guide/keras", "/api_docs/python/tf/data/Dataset", "/io"],
    ["/versions/r2.3/api_docs/python/tf"],
  ),
  devsiteTwin("web.dev", ["/articles/vitals", "/learn/css"]),
];
