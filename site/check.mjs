// Whether all links of the built site hold, and whether a reader's browser fetches anything from another host.
//   node check.mjs [directory of the site]
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parse } from 'node-html-parser'

const site = resolve(process.argv[2] ?? 'target/site')
const base = process.env.OUTBOX_SITE_BASE ?? '/'
const files = readdirSync(site, { recursive: true }).filter((file) => !file.includes('node_modules'))
const html = files.filter((file) => file.endsWith('.html'))
const broken = new Set()
let checked = 0

const documents = new Map(html.map((file) => [resolve(site, file), parse(readFileSync(resolve(site, file), 'utf8'))]))
const anchors = new Map([...documents].map(([file, document]) => [file, new Set(document.querySelectorAll('[id]').map(({ id }) => id))]))

// The file that a server would answer with
function answer(path) {
  const file = join(site, decodeURIComponent(path))
  return [file, join(file, 'index.html'), `${file}.html`].find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
}

for (const [file, document] of documents) {
  const at = relative(site, file)
  for (const element of document.querySelectorAll('[href],[src]')) {
    const value = element.getAttribute('href') ?? element.getAttribute('src')
    const url = new URL(value, `http://site${base}${at}`)
    if (url.host !== 'site') {
      // Only readers follow links
      if (element.tagName !== 'A') broken.add(`${at}: fetches ${value}`)
      continue
    }
    checked++
    const found = url.pathname.startsWith(base) && answer(url.pathname.slice(base.length))
    if (!found) broken.add(`${at}: ${value} leads nowhere`)
    else if (url.hash && anchors.has(found) && !anchors.get(found).has(decodeURIComponent(url.hash.slice(1))))
      broken.add(`${at}: ${value} has no such heading`)
  }
}

for (const file of files.filter((name) => name.endsWith('.css'))) {
  for (const [, url] of readFileSync(resolve(site, file), 'utf8').matchAll(/(?:url\(|@import)\s*["']?((?:https?:)?\/\/[^"')]+)/g))
    broken.add(`${file}: fetches ${url}`)
}

console.log(`site: ${html.length} pages, ${checked} links`)
if (html.length < 30 || checked < 1000) broken.add('that is less than the site has')
for (const line of broken) console.error(`site: ${line}`)
process.exit(broken.size ? 1 : 0)
