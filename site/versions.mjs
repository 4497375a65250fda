// The versions that are built into one directory, and the page that leads to the newest of them.
const parts = (version) => version.split('-')[0].split('.').map(Number)

// Newest first; a snapshot is older than its release
function compare(one, other) {
  const [a, b] = [parts(one), parts(other)]
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (b[i] ?? 0) - (a[i] ?? 0)
    if (difference) return difference
  }
  return one.includes('-') - other.includes('-')
}

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
