import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { hasEnded, processIdentity } from './process-identity.ts'

const own = processIdentity()
const [boot = '', namespace = '', pid = '', start = ''] = own.split(' ')

test('a process that runs has not ended, however often it is asked for', () => {
  expect(own).toMatch(/^[\da-f-]{36} pid:\[\d+\] \d+ \d+$/)
  expect(processIdentity()).toBe(own)
  expect(hasEnded(own)).toBe(false)
})

test('one that was killed has', async () => {
  const code = `
    import { processIdentity } from ${JSON.stringify(new URL('process-identity.ts', import.meta.url).href)}
    console.log(processIdentity())
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code])
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const identity = line.toString().trim()
  expect(hasEnded(identity)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(hasEnded(identity)).toBe(true)
})

test('its id may be that of another process by now', () => {
  expect(hasEnded([boot, namespace, pid, String(Number(start) - 1)].join(' '))).toBe(true)
})

test.each([
  [
    'a machine that cannot be seen from here',
    ['00000000-0000-4000-8000-000000000000', namespace, '999999999', '1'],
  ],
  ['a container that cannot be seen from here', [boot, 'pid:[1]', '999999999', '1']],
  ['a system that does not tell', []],
  ['garbage', ['x']],
  ['half of it', [boot, namespace]],
])('of %s nothing is known', (_where, identity) => {
  expect(hasEnded(identity.join(' '))).toBe(false)
})
