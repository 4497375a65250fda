// llms.txt: what language models are given to find a page, and llms-full.txt: all pages in one file.
import { groups, pages, version } from './pages.mjs'

const introduction = `# Ordered Outbox ${version}

> A transactional outbox for Spring Boot: events are stored in the transaction of the business data, and a relay sends them to RabbitMQ or Kafka, in the order of their commits for each partition key.
`

const section = ({ title, pages }) =>
  `\n## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.path.replace(/\.md$/, '.html')}): ${page.about}`).join('\n')}\n`

export const llms = () => introduction + groups.map(section).join('')

export const llmsFull = () => introduction + pages.map((page) => `\n---\n\nPage ${page.path}: ${page.about}\n\n${page.text()}`).join('')
