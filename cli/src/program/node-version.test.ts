import { expect, test } from 'vitest'
import { oldNodeMessage } from './node-version.ts'

test.each(['22.3.0', '22.10.1', '24.0.0', '26.10.0'])('Node %s is new enough', (version) => {
  expect(oldNodeMessage(version)).toBeNull()
})

test.each(['22.2.0', '20.20.2', '18.0.0'])('Node %s is too old', (version) => {
  expect(oldNodeMessage(version)).toMatch(`needs Node 22.3 or newer, and this is Node ${version}`)
})
