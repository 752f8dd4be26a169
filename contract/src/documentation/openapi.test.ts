import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { checkersSkipReason, loadChecker } from '../../../scripts/tests/checkers.ts'
import { testUnless } from '../../../scripts/tests/needs.ts'
import { endpoints } from '../endpoints/index.ts'
import { openApi } from './openapi.ts'

const document = JSON.parse(JSON.stringify(openApi(endpoints, { version: '1.2.3', baseURL: '/' }))) as {
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string }[] }>>
  components: { schemas: Record<string, unknown> }
}

test('every endpoint is one operation, and a download is two', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const expected = Object.entries(endpoints).flatMap(([name, endpoint]) =>
    'download' in endpoint ? [name, `${name}Head`] : [name],
  )
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(expected.sort())
})

test('two endpoints never share a method and a path', () => {
  const keys = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('every parameter of a path is described', () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const { parameters } of Object.values(operations)) {
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(named)
    }
  }
})

test('every reference has a target', () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  )
  expect(references.length).toBeGreaterThan(0)
  for (const name of references) expect(document.components.schemas).toHaveProperty(name ?? '')
})

test('Redocly finds nothing in the description', async () => {
  const source = JSON.stringify(openApi(endpoints, { version: '1.2.3', baseURL: '/' }))
  const problems = await lintFromString({ source, config: await createConfig({ extends: ['recommended'] }) })
  expect(
    problems.map(({ ruleId, message, location }) => [
      ruleId,
      message,
      location.map(({ pointer }) => pointer),
    ]),
  ).toEqual([])
})

interface Spectral {
  setRuleset(ruleset: {
    readonly extends: readonly (readonly [rules: unknown, which: 'recommended'])[]
  }): void
  run(document: unknown): Promise<readonly { readonly code: string; readonly path: readonly string[] }[]>
}

testUnless(checkersSkipReason, 'Spectral finds nothing in the description', async () => {
  const core = loadChecker('@stoplight/spectral-core') as { readonly Spectral: new () => Spectral }
  const { oas } = loadChecker('@stoplight/spectral-rulesets') as { readonly oas: unknown }
  const spectral = new core.Spectral()
  spectral.setRuleset({ extends: [[oas, 'recommended']] })
  const problems = await spectral.run(document)
  expect(problems.map(({ code, path }) => [code, path.join(' ')])).toEqual([])
})

test('optional fields of bodies accept null, as the server does', () => {
  const { NewUploadRequest } = document.components.schemas
  expect(NewUploadRequest).toMatchObject({
    properties: {
      title: { type: 'string' },
      maxFiles: { type: ['integer', 'null'] },
      senderName: { enum: ['none', 'optional', 'required', null] },
    },
  })
})
