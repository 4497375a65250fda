// The site of the documentation: the Markdown of the repository as it is, with the sidebar of docs/nav.json.
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { renderMermaidSVG } from 'beautiful-mermaid'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { groups, inRepository, link, pages, rewrites, root, version } from '../pages.mjs'
import { llms, llmsFull } from '../llms.mjs'
import { index, versions } from '../versions.mjs'

// Where the site is on its server, and where it is built: a directory for each version
const site = process.env.OUTBOX_SITE_BASE ?? '/'
const target = process.env.OUTBOX_SITE_TARGET ?? resolve(root, 'site/target/site')

const copies = new Map()

export default defineConfig({
  title: 'Ordered Outbox',
  description: 'A transactional outbox for Spring Boot that keeps the order of each partition key',
  lang: 'en',
  base: `${site}${version}/`,
  srcDir: root,
  // Pages are those of the navigation: everything else is not even looked at
  srcExclude: ['!(docs|site)/**/*.md', 'site/!(index.md)', 'site/*/**'],
  ignoreDeadLinks: 'localhostLinks',
  rewrites,
  outDir: resolve(target, version),
  cacheDir: resolve(root, 'site/target/cache'),
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  vite: {
    publicDir: resolve(root, 'site/public'),
    plugins: [packages()],
    build: { chunkSizeWarningLimit: 1000 },
    server: { watch: { ignored: ['**/target/**'] } }
  },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${site}${version}/logo.svg` }],
    ['meta', { name: 'theme-color', content: '#1f5c57' }]
  ],
  markdown: {
    anchor: { slugify: slug },
    toc: { level: [2, 3] },
    languageAlias: { mysql: 'sql' },
    config(md) {
      diagrams(md)
      links(md)
    }
  },
  themeConfig: {
    logo: '/logo.svg',
    version,
    site,
    nav: groups
      .filter((group) => ['Publish', 'Consume', 'Operate', 'Reference'].includes(group.title))
      .map((group) => ({ text: group.title, link: `/${group.pages[0].path}` })),
    sidebar: groups.map((group) => ({
      text: group.title,
      collapsed: group.title === 'Decisions',
      items: group.pages.map((page) => ({ text: page.title, link: `/${page.path}` }))
    })),
    outline: { level: [2, 3], label: 'On this page' },
    docFooter: { prev: 'Before', next: 'After' },
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument: searchBoost() } } } },
    footer: { message: 'Apache License 2.0' }
  },
  transformPageData(page) {
    const { about } = pages.find(({ path }) => path === page.relativePath) ?? {}
    // The home page leads to where the navigation begins
    const [first] = page.frontmatter.hero?.actions ?? []
    if (first) {
      first.link = `/${pages[0].path}`
    }
    return { description: about }
  },
  buildEnd({ outDir }) {
    for (const [copy, file] of copies) {
      mkdirSync(dirname(resolve(outDir, copy)), { recursive: true })
      copyFileSync(resolve(root, file), resolve(outDir, copy))
    }
    writeFileSync(resolve(outDir, 'llms.txt'), llms())
    writeFileSync(resolve(outDir, 'llms-full.txt'), llmsFull())
    // What was built into the same directory before stays there
    const built = versions(readdirSync(target, { withFileTypes: true }).filter((file) => file.isDirectory()))
    writeFileSync(resolve(target, 'versions.json'), JSON.stringify(built))
    writeFileSync(resolve(target, 'index.html'), index(built[0]))
  }
})

// Pages are outside of the directory that has the packages
function packages() {
  return {
    name: 'packages-of-the-site',
    enforce: 'pre',
    resolveId(id, importer, options) {
      const isOutside = importer && !inRepository(importer).startsWith('site/')
      return isOutside && /^vue(\/|$)/.test(id) ? this.resolve(id, resolve(root, 'site/index.md'), { ...options, skipSelf: true }) : null
    }
  }
}

// Those of the theme, light and dark
const COLORS = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  accent: 'var(--vp-c-brand-1)',
  muted: 'var(--vp-c-text-2)',
  surface: 'var(--vp-c-bg-soft)',
  border: 'var(--vp-c-border)',
  transparent: true
}

// Drawn when the site is built: a reader's browser has nothing to do and nothing to fetch
function diagrams(md) {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, i, ...rest) => {
    if (tokens[i].info.trim() !== 'mermaid') {
      return fence(tokens, i, ...rest)
    }
    const svg = drawn(tokens[i].content)
    return `<div class="diagram" v-html="${md.utils.escapeHtml(JSON.stringify(svg))}"></div>`
  }
}

// A flow to the right that is wider than a page goes down instead
function drawn(text) {
  const svg = renderMermaidSVG(text, COLORS).replace(/@import url\([^)]*\);?/g, '')
  const down = text.replace(/^(flowchart|graph) LR/m, '$1 TB')
  return Number(svg.match(/ width="([\d.]+)"/)[1]) > 800 && down !== text ? drawn(down) : svg
}

// Links are written for the repository, where they are checked; here they become links of the site
function links(md) {
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    const from = inRepository(env.realPath ?? env.path)
    const all = tokens.flatMap((block) => [block, ...(block.children ?? [])])
    for (const [i, token] of all.entries()) {
      if (token.type.startsWith('html_')) {
        token.content = token.content.replace(/ src="(?=[a-z]+\/)/g, ' src="./')
      }
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href && !/^([a-z]+:|#|\/)/.test(href)) {
        const { href: there, title, file, copy } = link(from, href)
        // "see ordering.md" is for those who are among the files
        if (title && /^[\w/.-]+\.md$/.test(all[i + 1].content)) {
          all[i + 1].content = title
        }
        if (file) {
          copies.set(copy, file)
          token.attrSet('target', '_self')
        }
        token.attrSet('href', there)
      }
    }
  })
}

// Pages for those who change the outbox name everything, and would come first
function searchBoost() {
  return (id) => (/(conformance|traps|claim-explained|contributing|decisions)/.test(id) ? 0.3 : /properties/.test(id) ? 1.5 : 1)
}
