import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')
const deploy = resolve(root, 'deploy')
const read = (name: string) => readFile(resolve(root, name), 'utf8')

/** A metric of Svc in any expression; those of a histogram have suffixes. */
const metric = /\b(?:svcd|nodejs|process)_[a-z0-9_]+\b/g
const metricsIn = (expressions: string) => new Set(expressions.match(metric))

describe('monitoring', () => {
  // The page has exactly the metrics of a server (test/metrics/metrics.test.ts).
  const readDocumented = async () => {
    const rows = (await read('docs/metrics.md')).split('\n').map((line) => line.split('|'))
    const names = rows.flatMap(([, name = '', type = '']) => {
      const plain = name.trim().replaceAll('`', '')
      const endings = type.trim() === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      return endings.map((ending) => plain + ending)
    })
    return new Set(names)
  }
  const expressionsOfDashboard = async () => {
    const { panels } = JSON.parse(await read('deploy/grafana-dashboard.json')) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
    }
    return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  }

  test.each([
    ['the alerts', () => read('deploy/prometheus-alerts.yml'), 12],
    ['the dashboard', async () => (await expressionsOfDashboard()).join('\n'), 25],
  ])('%s name metrics that there are', async (_, expressions, least) => {
    // Names of alerts and words of their descriptions are none.
    const named = metricsIn(await expressions())
    expect(named.size).toBeGreaterThanOrEqual(least)
    expect([...named.difference(await readDocumented())]).toEqual([])
  })

  describeWith(['prometheus'], 'by promtool', () => {
    test('the rules are valid, fire on each problem, and do not fire during a long cleanup', async () => {
      const options = { cwd: deploy }
      await run('promtool', ['check', 'rules', 'prometheus-alerts.yml'], options)
      await run('promtool', ['test', 'rules', 'prometheus-alerts.test.yml'], options)
    })

    test('the expressions of the dashboard can be read', async () => {
      const folder = await temporaryDirectory()
      const rules = (await expressionsOfDashboard()).map((expr, index) => ({
        record: `panel:${String(index)}`,
        // What Grafana inserts for its variable; those within texts may stay.
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }))
      const file = join(folder, 'rules.yml')
      // JSON is YAML, too.
      await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      await run('promtool', ['check', 'rules', file])
    })
  })
})
