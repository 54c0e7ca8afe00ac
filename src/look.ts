import type { Settings } from "./config/settings.ts";
import { createAccessReader } from "./config/credentials.ts";
import type { FolderLook, Preview, SiteLook, StartPage } from "./domain/site-look.ts";
import type { Logger } from "./domain/ports.ts";
import type { Source } from "./domain/source.ts";
import { userAgent } from "./version.ts";

/** What a first look found, and what the page that it begins with is. */
export interface Looked<L> {
  readonly look: L;
  readonly page: StartPage;
}

/** Looks at documentation that is not listed yet; see `lookAtSite` and `lookAtFolder` in fetch. */
export interface Looking {
  site(url: string, allowAddresses: readonly string[], signal: AbortSignal): Promise<Looked<SiteLook>>;
  folder(path: string): Promise<Looked<FolderLook>>;
  /** What a refresh of a source would do with what was found. */
  preview(source: Source, look: SiteLook | FolderLook): Promise<Preview>;
}

/** Puts the parts of looking together. */
export function createLooking(settings: Pick<Settings, "contact">): Looking {
  return {
    async site(url, allowAddresses, signal) {
      const { lookAtSite } = await import("./fetch/init-site.ts");
      const options = {
        userAgent: userAgent(settings.contact),
        logger: NO_LOGGER,
        access: createAccessReader(NO_LOGGER.warn),
      };
      const look = await lookAtSite(options, url, allowAddresses, signal);
      return { look, page: await startPage(look.url, look.contentType, look.body) };
    },
    async folder(path) {
      const { lookAtFolder } = await import("./fetch/init-folder.ts");
      const look = await lookAtFolder(path);
      const url =
        (look.baseUrl ?? "https://file.invalid/") + look.start.split(/[/\\]/).map(encodeURIComponent).join("/");
      return { look, page: await startPage(url, look.contentType, look.body) };
    },
    async preview(source, look) {
      const { previewFolder, previewSite } = await import("./fetch/init-preview.ts");
      if (look.kind === "folder") return previewFolder(source, look);
      return previewSite(source, look, PRODUCT);
    },
  };
}

/** What we are called in robots.txt. */
const PRODUCT = /^[a-z]+/i.exec(userAgent(""))?.[0] ?? "";

/** What is told in a result need not be said as well. */
const NO_LOGGER: Logger = { info() {}, warn() {} };

async function startPage(url: string, contentType: string, body: Uint8Array): Promise<StartPage> {
  const { explainPage } = await import("./convert/explain-page.ts");
  const { generator, conversion } = await explainPage({ url, contentType, body, options: { remove: [] }, aliases: [] });
  if (conversion.kind !== "document") return { generator, ...headOf(body), product: "", version: "" };
  const { title, product, version, language } = conversion;
  return { generator, title, product, version, language };
}

/** Far enough for the head of a page. */
const HEAD_BYTES = 16_384;

/** What the head of a page says that has no text, for a script brings it. */
function headOf(body: Uint8Array): Pick<StartPage, "title" | "language"> {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES)).toString("utf8");
  return {
    title: /<title\b[^>]{0,200}>([^<]{1,200})/i.exec(head)?.[1]?.trim() ?? "",
    language: /<html\b[^>]{0,500}?\blang\s?=\s?["']?([\w-]{2,20})/i.exec(head)?.[1] ?? "",
  };
}
