import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsOfPage } from './page-commands.ts'
import { currentVersion } from './versions.ts'

/** Versions of other programs, and those of a release that only tests make. */
const others = ['0.0.9', '1.4.0', '1.6.0', '1.31.0', '1.37.0', '97.0.0', '97.98.99']

// A release runs all tests after it has written its version.
test('tests of packages name no version of the project, so that they hold for the next one', () => {
  const folder = import.meta.dirname
  const found = globSync('*.ts', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\\.', '.')
    const versions = text.match(/(?<![\d.])\d+\.\d+\.\d+(?![\d]|\.\d)/g) ?? []
    return versions.filter((version) => !others.includes(version)).map((version) => `${file}: ${version}`)
  })
  expect(found).toEqual([])
})

test('the page about Debian installs the version of the checkout, and updates to any other', () => {
  const commandsOf = commandsOfPage('debian')
  expect(commandsOf('Install')).toContain(`./svcd_${currentVersion}_amd64.deb`)
  expect(commandsOf('Update')).toContain('./svcd_VERSION_amd64.deb')
})
