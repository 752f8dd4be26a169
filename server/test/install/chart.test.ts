import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'
import { optionKeys } from '../../src/config/options/options.ts'
import { environmentName, secretFileName } from '../../src/config/sources/environment-name.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import packageFile from '../../package.json' with { type: 'json' }

const chart = resolve(import.meta.dirname, '../../../deploy/chart')
const read = (...path: readonly string[]) => readFileSync(join(chart, ...path), 'utf8')

describe('the chart', () => {
  const isValid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(read('values.schema.json')) as object)
  const values = parse(read('values.yaml')) as object

  test('its values follow its schema, which refuses others', () => {
    expect(isValid(values)).toBe(true)
    for (const wrong of [
      { storage: 'nfs' },
      { replicas: 0 },
      { settings: { SVCD_MAX_FILE_SIZE_STR: 1e9 } },
      { settings: { maxFileSize: '1 GB' } },
      { imagee: {} },
    ])
      expect(isValid({ ...values, ...wrong })).toBe(false)
  })

  test('it installs the version of the server', () => {
    expect((parse(read('Chart.yaml')) as { appVersion: string }).appVersion).toBe(packageFile.version)
  })

  test('every variable in it is a setting of the server', () => {
    const files = ['values.yaml', ...readdirSync(join(chart, 'templates')).map((name) => `templates/${name}`)]
    const used = files.flatMap((file) => read(file).match(/\bSVCD_[A-Z0-9_]+/g) ?? [])
    const known = new Set(optionKeys.flatMap((key) => [environmentName(key), secretFileName(key)]))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((name) => !known.has(name))).toEqual([])
  })
})

/** No package of Debian has Helm. */
const hasHelm = spawnSync('helm', ['version']).status === 0

interface Resource {
  readonly kind: string
  readonly spec: {
    readonly template?: {
      readonly spec: { readonly containers: readonly [{ readonly env: readonly Variable[] }] }
    }
  }
}
interface Variable {
  readonly name: string
  readonly value?: string
}

describeUnless(hasHelm ? null : 'charts (install Helm)', 'the rendered chart', () => {
  /** @param given values, as `--set-string` takes them */
  function render(...given: readonly string[]) {
    const set = given.flatMap((value) => [/settings|tls/.test(value) ? '--set-string' : '--set', value])
    const text = execFileSync('helm', ['template', 'test', chart, '--kube-version=1.31.0', ...set], {
      encoding: 'utf8',
    })
    const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource)
    const [container] = resources.flatMap(({ spec }) => spec.template?.spec.containers ?? [])
    const environment = Object.fromEntries(
      (container?.env ?? []).map(({ name, value }) => [name, value?.replace('$(POD_IP)', '10.0.0.1')]),
    )
    return { kinds: resources.map(({ kind }) => kind).sort(), environment }
  }

  test('with a volume, it is one server with SQLite', () => {
    const { kinds, environment } = render()
    expect(kinds).toEqual(['Service', 'StatefulSet'])
    expect(() => loadConfig({ environment, directory: '/data', readFile })).not.toThrow()
  })

  test('with a database and a store, servers are scaled, protected and watched', () => {
    const { kinds, environment } = render(
      'storage=shared',
      'ingress.enabled=true',
      'ingress.tlsSecretName=certificate',
      'autoscaling.enabled=true',
      'metrics.enabled=true',
      'metrics.serviceMonitor.enabled=true',
      'networkPolicy.enabled=true',
      'settings.SVCD_METADATA_BACKEND_CONFIG_DRIVER=postgres',
      'settings.SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING=postgres://svc@database/svc',
      'settings.SVCD_DATA_BACKEND=s3',
      'settings.SVCD_DATA_BACKEND_CONFIG_REGION=eu-west-1',
      'settings.SVCD_DATA_BACKEND_CONFIG_BUCKET=svc',
    )
    expect(kinds).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceMonitor',
    ])
    expect(environment).toMatchObject({
      SVCD_SVC_DOMAIN: 'https://files.example.org',
      SVCD_INSTANCE_URL: 'http://10.0.0.1:8081',
    })
    expect(() => loadConfig({ environment, directory: '/data', readFile })).not.toThrow()
  })

  /** A container has no file but those of the image. */
  function readFile(path: string): string {
    throw Object.assign(new Error(path), { code: 'ENOENT' })
  }
})
