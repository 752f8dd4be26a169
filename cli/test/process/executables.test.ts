import { expect, test } from 'vitest'
import { chosen, clientSea, targetsOf } from '../../../scripts/bundle/executable-plan.ts'
import { packages } from '../../../scripts/setup/runtime.mjs'

const targets = targetsOf(packages)

test('every system of the pinned Node has an executable, named as the server expects', () => {
  expect(targets.map(({ file }) => file).sort()).toEqual([
    'darwin-arm64/svc',
    'darwin-x64/svc',
    'linux-arm64/svc',
    'linux-x64/svc',
    'windows-x64/svc.exe',
  ])
})

test('executables for macOS, which need signing, are built on a Mac only', () => {
  const names = (host: NodeJS.Platform) => chosen(targets, [], host).map(({ name }) => name)
  expect(names('linux').sort()).toEqual(['linux-arm64', 'linux-x64', 'windows-x64'])
  expect(names('darwin')).toHaveLength(5)
  expect(() => chosen(targets, ['darwin-arm64'], 'linux')).toThrow('make it on a Mac')
  expect(() => chosen(targets, ['beos-x64'], 'linux')).toThrow('there is no target beos-x64')
  expect(chosen(targets, ['linux-x64'], 'linux')).toHaveLength(1)
})

test('an executable contains the bundle twice: as the program, and for its worker threads', () => {
  expect(clientSea('/clients/svc.mjs', '/node', '/svc')).toMatchObject({
    main: 'svc.mjs',
    folder: '/clients',
    node: '/node',
    output: '/svc',
    assets: { 'svc.mjs': '/clients/svc.mjs' },
  })
})
