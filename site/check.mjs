// Whether all links of the built site hold, those of llms.txt too; whether the search of each version knows its pages; and whether a
// reader's browser fetches anything from another host.
//   node check.mjs [directory of the site]
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
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

// A word of docs/ordering.md
const WORD = 'stripes'

for (const version of JSON.parse(readFileSync(join(site, 'versions.json'), 'utf8'))) {
  llms(`${version}/llms.txt`)
  const index = files.find((name) => name.startsWith(`${version}/assets/`) && name.includes('localSearchIndex') && name.endsWith('.js'))
  if (index) await search(version, index)
  else broken.add(`${version}: has no index for the search`)
}

function llms(file) {
  const links = files.includes(file) ? [...readFileSync(resolve(site, file), 'utf8').matchAll(/^- \[.*?\]\(([^)]+)\)/gm)] : []
  if (links.length < 30) broken.add(`${file}: has ${links.length} links`)
  for (const [, path] of links) {
    checked++
    if (!answer(join(dirname(file), path))) broken.add(`${file}: ${path} leads nowhere`)
  }
}

async function search(version, index) {
  const { documentIds, index: words } = JSON.parse((await import(pathToFileURL(resolve(site, index)))).default)
  const found = new Set(Object.values(documentIds).map((id) => id.slice(base.length).split('#')[0]))
  if (!words.some(([word]) => word === WORD)) broken.add(`${version}: the search does not know "${WORD}"`)
  const others = [`${version}/index.html`, `${version}/404.html`]
  for (const page of html.filter((name) => name.startsWith(`${version}/`) && !others.includes(name))) {
    if (!found.has(page.replace(/index\.html$/, ''))) broken.add(`${page}: the search does not know it`)
  }
}

console.log(`site: ${html.length} pages, ${checked} links`)
if (html.length < 30 || checked < 1000) broken.add('that is less than the site has')
for (const line of broken) console.error(`site: ${line}`)
process.exit(broken.size ? 1 : 0)
