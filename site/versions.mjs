// The versions that are built into one directory, and the page that leads to the newest of them.

// Newest first; of one number RC2 comes before RC1, and SNAPSHOT, which becomes the release, before both
const compare = (one, other) => other.localeCompare(one, 'en', { numeric: true })

// A release comes before all that is none, so that it is where readers begin
export function versions(directories) {
  const sorted = directories.map(({ name }) => name).filter((name) => /^\d+\./.test(name)).sort(compare)
  return [...sorted.filter((version) => !version.includes('-')), ...sorted.filter((version) => version.includes('-'))]
}

export const index = (version) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Ordered Outbox</title>
<meta http-equiv="refresh" content="0; url=${version}/">
<p><a href="${version}/">Ordered Outbox ${version}</a></p>
</html>
`
