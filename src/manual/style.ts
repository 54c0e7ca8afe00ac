/** The manual's style sheet. System fonts only: nothing is fetched from anywhere. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1d2433;
  --muted: #5a6478;
  --line: #d9dee8;
  --surface: #ffffff;
  --raised: #f4f6fa;
  --link: #1a56c4;
  --mark: #e6eefc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8f0;
    --muted: #98a2b8;
    --line: #323a4b;
    --surface: #161a23;
    --raised: #1f2430;
    --link: #8ab4ff;
    --mark: #243354;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0;
  background: var(--surface);
  color: var(--text);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--link); text-underline-offset: 0.15em; }
.skip-link { position: absolute; left: -100vw; }
.skip-link:focus { left: 1rem; top: 0.5rem; background: var(--surface); padding: 0.25rem 0.5rem; }
.site-header { padding: 0.9rem 1.5rem; border-bottom: 1px solid var(--line); }
.site-header a { color: inherit; text-decoration: none; font-weight: 650; font-size: 1.1rem; }
.site { display: flex; max-width: 72rem; margin: 0 auto; }
.sidebar { flex: 0 0 14rem; padding: 1.5rem 0 1.5rem 1.5rem; }
.sidebar ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 1.5rem; }
.sidebar a { display: block; padding: 0.3rem 0.75rem; border-radius: 6px; color: var(--text); text-decoration: none; }
.sidebar a:hover { background: var(--raised); }
.sidebar a[aria-current] { background: var(--mark); font-weight: 600; }
main { flex: 1 1 0; min-width: 0; padding: 1.5rem 2rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 0.6em; }
h1 { font-size: 2rem; margin-top: 0.2em; }
h2 { font-size: 1.4rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
.headerlink { margin-left: 0.4em; text-decoration: none; color: var(--muted); opacity: 0; }
:is(h2, h3, h4):hover .headerlink, .headerlink:focus { opacity: 1; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
code { background: var(--raised); padding: 0.1em 0.3em; border-radius: 4px; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1rem; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; font-size: 0.875rem; }
.table-wrapper { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.75rem; border-bottom: 1px solid var(--line); }
th { background: var(--raised); font-weight: 600; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 4px solid var(--line); color: var(--muted); }
.pager { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.pager a { text-decoration: none; }
.pager span { display: block; color: var(--muted); font-size: 0.85rem; }
.pager a[rel="next"] { margin-left: auto; text-align: right; }
@media (max-width: 48rem) {
  .site { flex-direction: column; }
  .sidebar { padding: 1rem 1.5rem 0; }
  main { padding: 1rem 1.5rem 3rem; }
}
@media print {
  .sidebar, .site-header, .pager, .headerlink { display: none; }
}
`.trimStart();
