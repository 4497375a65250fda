// What the site has: the pages of docs/nav.json, and where each of them is on the site.
import { readFileSync } from 'node:fs'
import { dirname, posix, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const read = (file) => readFileSync(resolve(root, file), 'utf8')

export const version = read('pom.xml').match(/<artifactId>outbox-parent<\/artifactId>\s*<version>(.*?)<\/version>/)[1]

// docs/publishing.md is publishing.md, CONTRIBUTING.md is contributing.md, site/index.md is index.md
const onSite = (file) => (file.includes('/') ? file.replace(/^(docs|site)\//, '') : file.toLowerCase())

export const groups = Object.entries(JSON.parse(read('docs/nav.json')))
  .map(([title, pages]) => ({
    title,
    pages: pages.map(({ page, ...rest }) => {
      const file = posix.join('docs', page)
      return { ...rest, file, path: onSite(file), text: () => read(file) }
    })
  }))
  .filter((group) => group.pages.length > 0)

export const pages = groups.flatMap((group) => group.pages)

// By the file in the repository
export const rewrites = Object.fromEntries([...pages.map((page) => [page.file, page.path]), ['site/index.md', 'index.md']])

// A link of a page of the repository, as a link of the site; and the file to be copied to the site if it is no page
export function link(from, href) {
  const [target, anchor] = href.split('#')
  const file = target ? posix.join(posix.dirname(from), decodeURI(target)) : from
  const path = rewrites[file]
  if (path) {
    const title = pages.find((page) => page.path === path)?.title
    return { href: `/${path}${anchor ? `#${anchor}` : ''}`, title }
  }
  const copy = `files/${onSite(file)}`.replace(/\/([^/.]+)$/, '/$1.txt')
  return { href: posix.relative(posix.dirname(rewrites[from] ?? from), copy), file, copy }
}

export const inRepository = (path) => relative(root, path).replaceAll('\\', '/')
