import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { hasEnded, processIdentity } from './process-identity.ts'

const identityOfTest = processIdentity()
const [boot = '', namespace = '', pid = '', start = ''] = identityOfTest.split(' ')

test('a running process has a stable identity and has not ended', () => {
  expect(identityOfTest).toMatch(/^[\da-f-]{36} pid:\[\d+\] \d+ \d+$/)
  expect(processIdentity()).toBe(identityOfTest)
  expect(hasEnded(identityOfTest)).toBe(false)
})

test('a killed process has ended', async () => {
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

test('a process whose id was reused has ended', () => {
  expect(hasEnded([boot, namespace, pid, String(Number(start) - 1)].join(' '))).toBe(true)
})

test.each([
  [
    'a machine that cannot be seen from here',
    ['00000000-0000-4000-8000-000000000000', namespace, '999999999', '1'],
  ],
  ['a container that cannot be seen from here', [boot, 'pid:[1]', '999999999', '1']],
  ['a system without process identities', []],
  ['garbage', ['x']],
  ['half an identity', [boot, namespace]],
])('a process of %s does not count as ended', (_where, identity) => {
  expect(hasEnded(identity.join(' '))).toBe(false)
})
