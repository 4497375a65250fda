// In which order readers are offered versions, and where the page leads that has none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { index, versions } from './versions.mjs'

const sorted = (...names) => versions(names.map((name) => ({ name })))

test('numbers are compared, not texts', () => {
  assert.deepEqual(sorted('0.9.0', '0.10.0', '1.0.0', '0.2.0'), ['1.0.0', '0.10.0', '0.9.0', '0.2.0'])
  assert.deepEqual(sorted('1.0.9', '1.0.10'), ['1.0.10', '1.0.9'])
})

test('a number that is not there is 0', () => {
  assert.deepEqual(sorted('1.0', '1.0.1', '1.1'), ['1.1', '1.0.1', '1.0'])
})

test('a release comes before every snapshot, also before one of a newer version', () => {
  assert.deepEqual(sorted('0.2.0-SNAPSHOT', '0.1.0', '0.1.0-SNAPSHOT'), ['0.1.0', '0.2.0-SNAPSHOT', '0.1.0-SNAPSHOT'])
  assert.deepEqual(sorted('0.9.0-SNAPSHOT', '0.10.0-RC1'), ['0.10.0-RC1', '0.9.0-SNAPSHOT'])
})

test('candidates of one number are sorted by theirs', () => {
  assert.deepEqual(sorted('1.0.0-M2', '1.0.0-RC2', '1.0.0-RC10', '1.0.0-SNAPSHOT'), ['1.0.0-SNAPSHOT', '1.0.0-RC10', '1.0.0-RC2', '1.0.0-M2'])
})

test('directories that are no versions are left out', () => {
  assert.deepEqual(sorted('assets', '0.1.0', 'v2', '.git'), ['0.1.0'])
})

test('the first page leads to the version that it is given', () => {
  assert.match(index('0.10.0'), /http-equiv="refresh" content="0; url=0\.10\.0\/"/)
  assert.match(index('0.10.0'), /<a href="0\.10\.0\/">/)
})
