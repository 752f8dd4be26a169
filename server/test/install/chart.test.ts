import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'
import { optionKeys } from '../../src/config/options/options.ts'
import { environmentName, secretFileName } from '../../src/config/sources/environment-name.ts'
import { goTool, missingGoTools } from '../../../scripts/tests/go-tools.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { currentVersion } from './versions.ts'

const chart = resolve(import.meta.dirname, '../../../deploy/chart')
const read = (...path: readonly string[]) => readFileSync(join(chart, ...path), 'utf8')

describe('the chart', () => {
  const isValid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(read('values.schema.json')) as object)
  const values = parse(read('values.yaml')) as object

  test('the default values match the schema, which rejects invalid ones', () => {
    expect(isValid(values)).toBe(true)
    for (const wrong of [
      { storage: 'nfs' },
      { replicas: 0 },
      { settings: { SVCD_MAX_FILE_SIZE_STR: 1e9 } },
      { settings: { maxFileSize: '1 GB' } },
      { imagee: {} },
      { autoscaling: { targetCPU: 70 } },
    ])
      expect(isValid({ ...values, ...wrong })).toBe(false)
  })

  test('it installs the version of the server', () => {
    expect((parse(read('Chart.yaml')) as { appVersion: string }).appVersion).toBe(currentVersion)
  })

  test('every variable in it is a setting of the server', () => {
    const files = ['values.yaml', ...readdirSync(join(chart, 'templates')).map((name) => `templates/${name}`)]
    const used = files.flatMap((file) => read(file).match(/\bSVCD_[A-Z0-9_]+/g) ?? [])
    const known = new Set(optionKeys.flatMap((key) => [environmentName(key), secretFileName(key)]))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((name) => !known.has(name))).toEqual([])
  })
})

const helm = goTool('helm')

/** A container has no file but those of the image. */
function readFile(path: string): string {
  throw Object.assign(new Error(path), { code: 'ENOENT' })
}

interface Resource {
  readonly kind: string
  readonly spec: {
    readonly template?: { readonly spec: Pod }
    readonly metrics?: readonly unknown[]
  }
}
interface Pod {
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [Container]
}
interface Container {
  readonly env: readonly Variable[]
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } }
  readonly readinessProbe: { readonly httpGet: { readonly path: string } }
}
interface Variable {
  readonly name: string
  readonly value?: string
}

describeUnless(missingGoTools('helm'), 'the rendered chart', () => {
  const commandLine = (values: readonly string[]) => [
    ...['template', 'test', chart, '--kube-version=1.31.0'],
    ...values.flatMap((value) => [/settings|tls/.test(value) ? '--set-string' : '--set', value]),
  ]

  /** @returns what Helm says about values that it refuses */
  function refusal(...values: readonly string[]): string {
    const { status, stderr } = spawnSync(helm, commandLine(values), { encoding: 'utf8' })
    expect(status).toBe(1)
    return stderr
  }

  /** @param values Helm values, as `--set-string` takes them */
  function render(...values: readonly string[]) {
    const text = execFileSync(helm, commandLine(values), { encoding: 'utf8' })
    const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource)
    const pod = resources.flatMap(({ spec }) => spec.template?.spec ?? [])[0]
    const container = pod?.containers[0]
    const environment = Object.fromEntries(
      (container?.env ?? []).map(({ name, value }) => [name, value?.replace('$(POD_IP)', '10.0.0.1')]),
    )
    return { kinds: resources.map(({ kind }) => kind).sort(), environment, resources, pod, container }
  }

  const driver = 'settings.SVCD_METADATA_BACKEND_CONFIG_DRIVER'
  const database = [
    `${driver}=postgres`,
    'settings.SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING=postgres://svc@database/svc',
  ]
  const store = [
    'settings.SVCD_DATA_BACKEND=s3',
    'settings.SVCD_DATA_BACKEND_CONFIG_REGION=eu-west-1',
    'settings.SVCD_DATA_BACKEND_CONFIG_BUCKET=svc',
  ]
  const shared = ['storage=shared', ...database, ...store]

  test('with a volume, it is one server with SQLite', () => {
    const { kinds, environment } = render()
    expect(kinds).toEqual(['Service', 'StatefulSet'])
    expect(() => loadConfig({ environment, directory: '/data', readFile })).not.toThrow()
  })

  test('with a database and a store, it has autoscaling, a disruption budget and monitoring', () => {
    const { kinds, environment } = render(
      'storage=shared',
      'ingress.enabled=true',
      'ingress.tlsSecretName=certificate',
      'autoscaling.enabled=true',
      'metrics.enabled=true',
      'metrics.serviceMonitor.enabled=true',
      'networkPolicy.enabled=true',
      ...database,
      ...store,
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

  test.each([
    [[], /needs a database that .*settings\.SVCD_METADATA_BACKEND_CONFIG_DRIVER: postgres/],
    [[`${driver}=sqlite3`, ...store], /needs a database/],
    [[...database], /needs an object store for .*settings\.SVCD_DATA_BACKEND: s3/],
    [[...database, 'settings.SVCD_DATA_BACKEND=file'], /needs an object store/],
    [[...database, 'settings.SVCD_DATA_BACKEND=memory'], /needs an object store/],
    [[`${driver}=postgres`, ...store], /address of the database: .*CONNECTION_STRING/],
  ])('several servers without what they share are refused: %j', (values, reason) => {
    expect(refusal('storage=shared', ...values)).toMatch(reason)
  })

  test('the address of the database may be in the Secret', () => {
    expect(render('storage=shared', 'secretName=svcd', `${driver}=mysql`, ...store).kinds).toContain(
      'Deployment',
    )
  })

  test('a terminating pod serves requests until it is out of the endpoints', () => {
    const { pod, container } = render(...shared)
    const [program, ...args] = container?.lifecycle?.preStop.exec.command ?? []
    expect([program, args]).toEqual(['node', ['-e', 'setTimeout(() => {}, 5000)']])
    // ShutdownTimeoutStr, these five seconds, and a reserve.
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(60 + 5 + 5)
  })

  test('readiness is /ready for several servers and /health for one', () => {
    const pathOf = (...values: readonly string[]) => render(...values).container?.readinessProbe.httpGet.path
    expect([pathOf(...shared), pathOf()]).toEqual(['/ready', '/health'])
  })

  test('servers are added by processor time, regardless of what they request', () => {
    const scaler = render(...shared, 'autoscaling.enabled=true').resources.find(
      ({ kind }) => kind === 'HorizontalPodAutoscaler',
    )
    const target = { type: 'AverageValue', averageValue: '700m' }
    expect(scaler?.spec.metrics).toEqual([{ type: 'Resource', resource: { name: 'cpu', target } }])
  })

  test('proxies are trusted only where there are some', () => {
    const trusted = (...values: readonly string[]) => render(...values).environment['SVCD_TRUSTED_PROXIES']
    expect(trusted()).toBeUndefined()
    expect(trusted('ingress.enabled=true')).toBe('["10.0.0.0/8"]')
    expect(trusted('trustedProxies={192.168.0.0/16}')).toBe('["192.168.0.0/16"]')
    expect(trusted('ingress.enabled=true', 'trustedProxies={10.244.0.0/16}')).toBe('["10.244.0.0/16"]')
  })
})
