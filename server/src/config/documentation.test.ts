import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { configurationDocumentation } from './documentation.ts'
import { loadConfig } from './load.ts'

const written = readFileSync(resolve(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')

test('docs/configuration.md is generated from the table of options (run node scripts/docs/configuration.ts)', () => {
  expect(written).toBe(configurationDocumentation())
})

test('the example in the documentation is a configuration that the server accepts', () => {
  const example = /```toml\n([^]*?)```/.exec(written)?.[1] ?? ''
  const config = loadConfig({ file: '/svcd.toml', environment: {}, directory: '/', readFile: () => example })
  expect(config).toMatchObject({
    listenAddress: '0.0.0.0',
    maxFileSize: 2_000_000_000,
    defaultTTL: 604_800,
    dataBackend: { kind: 'file', directory: '/var/lib/svc/files' },
    metadataBackend: { driver: 'sqlite3', connectionString: '/var/lib/svc/svc.db' },
    features: { feature_comments: 'disabled' },
  })
})
