import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { deploymentToolsSkipReason, fileSchemas } from '../../../scripts/tests/deployment-tools.ts'
import { goTool, missingGoTools } from '../../../scripts/tests/go-tools.ts'
import { describeUnless, testUnless } from '../../../scripts/tests/needs.ts'

const root = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const workflows = globSync('.github/workflows/*.yml', { cwd: root })
const composeFiles = globSync('deploy/compose/*.yaml', { cwd: root }).filter(
  (path) => !path.endsWith('traefik-routes.yaml'),
)

interface Described {
  readonly $schema: string
}

describeUnless(deploymentToolsSkipReason, 'the published schemas', () => {
  test.each([
    ...workflows.map((path) => [path, 'github-workflows']),
    ...composeFiles.map((path) => [path, 'compose-spec']),
    ['.gitlab-ci.yml', 'gitlab-ci'],
  ])('%s fits %s', (path, schema) => {
    const described = JSON.parse(readFileSync(join(fileSchemas(), `${schema}.json`), 'utf8')) as Described
    const Version = described.$schema.includes('2020') ? Ajv2020 : Ajv
    const validate = new Version({ strict: false, validateFormats: false, allErrors: true }).compile(
      described,
    )
    validate(parse(read(path), { merge: true }))
    expect(validate.errors).toBeNull()
  })
})

testUnless(missingGoTools('actionlint'), 'actionlint finds no mistake in the workflows', () => {
  execFileSync(goTool('actionlint'), workflows, { cwd: root, stdio: 'pipe' })
})

test('the workflows publish the same files, and scripts that exist', () => {
  for (const text of [read('.github/workflows/release.yml'), read('.gitlab-ci.yml')]) {
    for (const files of [
      'dist/*.deb',
      'dist/*.exe',
      'dist/svc*-[0-9]*-linux-*',
      'dist/*.tgz',
      'dist/SHA256SUMS*',
    ])
      expect(text).toContain(files)
    expect(text).toContain('SVC_SIGNING_KEY')
    const scripts = [...text.matchAll(/sh (scripts\/\S+\.sh)/g)].map(([, script = '']) => script)
    expect(scripts).toEqual(['scripts/release/publish-image.sh', 'scripts/release/publish-chart.sh'])
    for (const script of scripts) expect(read(script)).toMatch(/^#!\/bin\/sh\n/)
  }
})
