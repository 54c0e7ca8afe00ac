/** One page of a twin: what its generator is told. */
export interface ShapedPage {
  readonly host: string;
  readonly path: string;
  readonly title: string;
  readonly language: string;
  /** Paths or addresses that its navigation leads to. */
  readonly links: readonly string[];
}

/** How a generator writes a page. Each has the code block `run(CODE)`, and NAVIGATION in what is around the content. */
export type Shape = (page: ShapedPage) => string;

/** In each page, around its content: a document that holds it has taken too much. */
export const AROUND = "NAVIGATION";

/** What the page says, in its main part. */
export function textOf({ host, path, title }: ShapedPage): string {
  return `${title} is told at ${path} of ${host}, and nowhere else.`;
}

function list(links: readonly string[]): string {
  return links.map((href) => `<li><a href="${href}">${AROUND} ${href.length}</a></li>`).join("");
}

/** Google's own: the page, its twins in other languages and in Markdown, a print twin, tabs, and icons as words. */
export const devsite: Shape = (page) => {
  const { host, path, title, language, links } = page;
  const url = `https://${host}${path}`;
  const other = `${path}?hl=de`;
  return `<!doctype html>
<html lang="${language}" dir="ltr"><head><meta charset="utf-8"><title>${title} &nbsp;|&nbsp; Twin &nbsp;|&nbsp; ${host}</title>
<meta property="og:site_name" content="Twin"><link rel="canonical" href="${url}"><link rel="alternate" hreflang="en" href="${url}">
<link rel="alternate" hreflang="de" href="https://${host}${other}"><link rel="alternate" hreflang="x-default" href="${url}"></head>
<body theme="white" layout="docs" pending><devsite-header role="banner"><div class="devsite-top-logo-row">
<devsite-language-selector><ul role="presentation"><li><a role="menuitem" lang="de" href="https://${host}${other}">Deutsch</a></li></ul></devsite-language-selector>
<a class="devsite-top-button" href="/s/results?q=${AROUND}">Search</a></div></devsite-header>
<devsite-book-nav><nav class="devsite-book-nav devsite-nav nocontent"><ul class="devsite-nav-list">${list(links)}</ul></nav></devsite-book-nav>
<main role="main" class="devsite-main-content" has-book-nav><devsite-content><article class="devsite-article">
<div class="devsite-article-meta nocontent"><ul class="devsite-breadcrumb-list"><li><a class="devsite-breadcrumb-link" href="/">${AROUND}</a></li></ul></div>
<h1 class="devsite-page-title" tabindex="-1">${title} <devsite-actions data-nosnippet><span>${AROUND}</span></devsite-actions></h1>
<div class="devsite-article-body clearfix"><p>${textOf(page)}</p>
<h2 id="use" data-text="Use it" tabindex="-1">Use it</h2><devsite-code><pre class="devsite-click-to-copy" translate="no" dir="ltr" syntax="Python"><code translate="no" dir="ltr">run("${path}")</code></pre></devsite-code>
<aside class="note"><strong>Note:</strong><span> It runs once.</span></aside></div>
<devsite-thumb-rating position="footer">${AROUND}</devsite-thumb-rating></article></devsite-content></main>
<devsite-footer-linkboxes class="devsite-footer"><nav><a href="${path === "/" ? "/index" : path}.md.txt">Markdown</a><a href="${path.replace(/\/$/, "")}/printable">Print</a>
<a href="/intl/de${path}">${AROUND}</a></nav></devsite-footer-linkboxes></body></html>`;
};

/** dart.dev and docs.flutter.dev. */
export const jaspr: Shape = (
  page,
) => `<!DOCTYPE html><html lang="${page.language}"><head><meta charset="utf-8"><title>${page.title} | Twin</title>
<link rel="canonical" href="https://${page.host}${page.path}"></head><body><div id="site-header"><nav><ul>${list(page.links)}</ul></nav></div>
<div id="site-below-header"><div id="site-main-row"><div id="side-menu"><nav><a href="/">${AROUND}</a></nav></div><main id="page-content"><div class="after-leading-content">
<article><div class="breadcrumbs"><a href="/">${AROUND}</a></div><div id="site-content-title"><h1 id="document-title">${page.title}</h1></div>
<div class="content"><p>${textOf(page)}</p><div class="header-wrapper"><h2 id="use">Use it</h2><a class="heading-link" href="#use">#</a></div>
<div class="code-block-wrapper language-dart"><div class="code-block-header"><span>${AROUND}</span></div><div class="code-block-body"><pre><code><span class="line">run("${page.path}")</span></code></pre></div></div>
</div></article></div><div id="trailing-content"><p>${AROUND} <a href="/blog/new">News</a></p></div></main></div></div></body></html>`;

/** MkDocs with the theme Material. */
export const material: Shape = (
  page,
) => `<!doctype html><html lang="${page.language}" class="no-js"><head><meta charset="utf-8">
<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.6.1"><title>${page.title} - Twin</title></head><body dir="ltr" data-md-color-scheme="default">
<header class="md-header"><nav class="md-header__inner">${AROUND}</nav></header><div class="md-container"><main class="md-main"><div class="md-main__inner md-grid">
<div class="md-sidebar md-sidebar--primary"><nav class="md-nav"><ul>${list(page.links)}</ul></nav></div>
<div class="md-content"><article class="md-content__inner md-typeset"><h1 id="top">${page.title}<a class="headerlink" href="#top">&para;</a></h1>
<p>${textOf(page)}</p><h2 id="use">Use it<a class="headerlink" href="#use">&para;</a></h2>
<div class="language-python highlight"><pre><span></span><code>run(&quot;${page.path}&quot;)
</code></pre></div></article></div></div></main></div></body></html>`;

/** Sphinx, as the reference of a program has it. */
export const sphinx: Shape = (
  page,
) => `<!DOCTYPE html><html lang="${page.language}"><head><meta charset="utf-8"><meta name="generator" content="Docutils 0.21">
<title>${page.title} &#8212; Twin documentation</title></head><body><div class="related" role="navigation">${AROUND}</div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section id="top">
<h1>${page.title}<a class="headerlink" href="#top">¶</a></h1><p>${textOf(page)}</p><div class="highlight-python"><div class="highlight"><pre><span></span>run("${page.path}")
</pre></div></div></section></div></div></div><div class="sphinxsidebar" role="navigation"><ul>${list(page.links)}</ul></div></div></body></html>`;

/** Javadoc. */
export const javadoc: Shape = (
  page,
) => `<!DOCTYPE HTML><html lang="${page.language}"><head><!-- Generated by javadoc (17) --><title>${page.title} (Twin API)</title>
<meta name="generator" content="javadoc/ClassWriterImpl"></head><body class="class-declaration-page"><div class="flex-box"><header role="banner" class="flex-header">
<nav role="navigation"><div class="top-nav" id="navbar-top"><ul class="nav-list">${list(page.links)}</ul></div></nav></header>
<div class="flex-content"><main role="main"><div class="header"><h1 title="${page.title}" class="title">${page.title}</h1></div>
<section class="class-description" id="class-description"><div class="block">${textOf(page)}
<pre>run("${page.path}")</pre></div></section></main></div></div></body></html>`;

/** Astro's Starlight. */
export const starlight: Shape = (
  page,
) => `<!DOCTYPE html><html lang="${page.language}" dir="ltr" data-has-toc data-has-sidebar><head><meta charset="utf-8"/><title>${page.title} | Twin</title>
<link rel="canonical" href="https://${page.host}${page.path}"/><meta name="generator" content="Astro v5.1.0"/><meta name="generator" content="Starlight v0.34.0"/></head>
<body><div class="page"><header class="header">${AROUND}</header><nav class="sidebar" aria-label="Main"><ul class="top-level">${list(page.links)}</ul></nav>
<div class="main-frame"><div class="lg:sl-flex"><div class="main-pane"><main data-pagefind-body lang="${page.language}" dir="ltr">
<div class="content-panel"><div class="sl-container"><h1 id="_top">${page.title}</h1></div></div><div class="content-panel"><div class="sl-container"><div class="sl-markdown-content">
<p>${textOf(page)}</p><div class="sl-heading-wrapper level-h2"><h2 id="use">Use it</h2><a class="sl-anchor-link" href="#use"><span class="sr-only">Section titled</span></a></div>
<div class="expressive-code"><figure class="frame"><pre data-language="ts"><code><div class="ec-line"><div class="code">run("${page.path}")</div></div></code></pre></figure></div>
</div></div></div></main></div></div></div></div></body></html>`;

/** go.dev. */
export const go: Shape = (
  page,
) => `<!DOCTYPE html><html lang="${page.language}" data-theme="auto"><head><meta charset="utf-8"><title>${page.title} - The Go Programming Language</title></head>
<body class="Site"><header class="Site-header js-siteHeader"><nav class="go-Header-nav"><ul>${list(page.links)}</ul></nav></header>
<main id="main-content" class="SiteContent SiteContent--default" role="main"><article class="Doc Article"><h1>${page.title}</h1><p>${textOf(page)}</p>
<h2 id="use">Use it</h2><pre>run("${page.path}")
</pre></article></main><footer class="Site-footer">${AROUND}</footer></body></html>`;

/** A page that no known generator made. */
export const plain: Shape = (
  page,
) => `<!DOCTYPE html><html lang="${page.language}"><head><meta charset="utf-8"><title>${page.title}</title></head>
<body><header><nav><ul>${list(page.links)}</ul></nav></header><main><h1>${page.title}</h1><p>${textOf(page)}</p><h2>Use it</h2><pre>run("${page.path}")</pre></main>
<footer>${AROUND} <a href="/intl/de${page.path}">Deutsch</a></footer></body></html>`;
