import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { deploymentToolsSkipReason, kubernetesSchemas } from '../../../scripts/tests/deployment-tools.ts'
import { goTool, missingGoTools } from '../../../scripts/tests/go-tools.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { commandsOfPage } from './page-commands.ts'

const root = resolve(import.meta.dirname, '../../..')

/** The oldest version of Kubernetes that the chart accepts, and the newest one with schemas. */
const [, oldest = ''] =
  /kubeVersion: '>=([\d.]+)-/.exec(readFileSync(resolve(root, 'deploy/chart/Chart.yaml'), 'utf8')) ?? []
const newest = '1.37.0'

/** Everything that the chart can make. */
const everything = [
  'ingress.enabled=true,ingress.tlsSecretName=files-tls,metrics.enabled=true,metrics.serviceMonitor.enabled=true',
  'networkPolicy.enabled=true,imagePullSecrets[0].name=registry,secretName=svcd,podAnnotations.team=files',
]
const shared = [
  'storage=shared,autoscaling.enabled=true,settings.SVCD_METADATA_BACKEND_CONFIG_DRIVER=postgres',
  'settings.SVCD_DATA_BACKEND=s3,settings.SVCD_DATA_BACKEND_CONFIG_BUCKET=svc',
]
const sets: Readonly<Record<string, readonly string[]>> = {
  'the defaults': [],
  'everything with a volume': everything,
  'everything with several servers': [...everything, ...shared],
}

const kinds =
  /^(?:deployment|horizontalpodautoscaler|ingress|networkpolicy|poddisruptionbudget|service|statefulset)-|^_/

/**
 * Copies the schemas of a version without their addresses, so that references lead to other files.
 * @returns their folder
 */
async function schemasOf(version: string): Promise<string> {
  const [from, to] = [join(kubernetesSchemas(), `v${version}-local-strict`), await temporaryDirectory()]
  for (const file of globSync('*.json', { cwd: from }).filter((name) => kinds.test(name))) {
    const text = readFileSync(join(from, file), 'utf8').replaceAll(
      '"/api/_definitions.json',
      '"_definitions.json',
    )
    const { $id: _, ...schema } = JSON.parse(text) as Record<string, unknown>
    writeFileSync(join(to, file), JSON.stringify(schema))
  }
  return to
}

const run = (program: 'helm' | 'kubeconform', args: readonly string[], input?: string) =>
  execFileSync(goTool(program), args, { cwd: root, encoding: 'utf8', input })

/** The resources that a command of the page creates. */
function resourcesOf(section: string, index: number) {
  const [command = ''] = /^helm install files deploy\/chart(?:.*\\\n)*.*/m.exec(
    commandsOfPage('kubernetes')(section, index),
  ) ?? ['']
  expect(command).not.toBe('')
  const script = command.replace('helm install', `"${goTool('helm')}" template --kube-version=${newest}`)
  const text = execFileSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' })
  return { text, resources: parseAllDocuments(text).map((document) => document.toJS() as unknown) }
}

describeUnless(missingGoTools('helm'), 'Helm', () => {
  test.each(Object.entries(sets))('finds no mistake in the chart: %s', (_, values) => {
    const lint = ['lint', '--strict', `--kube-version=${newest}`, 'deploy/chart']
    expect(run('helm', [...lint, ...values.flatMap((value) => ['--set', value])])).toContain(
      '0 chart(s) failed',
    )
  })

  test('installs a service with TLS and accounts with the command of the page', () => {
    const { text, resources } = resourcesOf('Install it with TLS and accounts', 1)
    expect(resources).toContainEqual(
      expect.objectContaining({
        kind: 'Ingress',
        spec: expect.objectContaining({
          ingressClassName: 'nginx',
          tls: [{ hosts: ['files.example.org'], secretName: 'files-tls' }],
        }) as unknown,
      }),
    )
    expect(text).toMatch(/name: SVCD_FEATURE_AUTHENTICATION\n +value: "forced"/)
    expect(text).toMatch(/name: SVCD_SVC_DOMAIN\n +value: "https:\/\/files\.example\.org"/)
    expect(resources).toContainEqual(
      expect.objectContaining({
        kind: 'StatefulSet',
        metadata: expect.objectContaining({ name: 'files-svcd' }) as unknown,
      }),
    )
  })

  test('installs several servers with the command of the page', () => {
    const { resources } = resourcesOf('Several servers', 0)
    expect(resources).toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({ name: 'files-svcd' }) as unknown,
      }),
    )
  })
})

describeUnless(
  missingGoTools('helm', 'kubeconform') ?? deploymentToolsSkipReason,
  'the schemas of Kubernetes',
  () => {
    const cases = Object.keys(sets).flatMap((set) =>
      [oldest, newest].map((version) => [set, version] as const),
    )
    test.each(cases)('describe what the chart makes: %s, in version %s', async (set, version) => {
      const values = (sets[set] ?? []).flatMap((value) => ['--set', value])
      const rendered = run('helm', [
        'template',
        'files',
        'deploy/chart',
        `--kube-version=${version}`,
        ...values,
      ])
      const schemas = `${await schemasOf(version)}/{{.ResourceKind}}{{.KindSuffix}}.json`
      // Kubernetes has no schema of this resource of Prometheus.
      const options = ['-summary', '-skip=ServiceMonitor', `-kubernetes-version=${version}`]
      expect(run('kubeconform', [...options, `-schema-location=${schemas}`, '-'], rendered)).toMatch(
        /Invalid: 0, Errors: 0/,
      )
    })
  },
)
