import { expect, test } from 'vitest'
import { problemsOfToml } from './loading.fixture.ts'

const problems = (toml: string) => problemsOfToml(toml).map(({ key, message }) => `${key} ${message}`)

const toml = (metrics: string, listen: string) =>
  `ListenAddress = "${listen}"\nListenPort = 9000\nMetricsAddress = "${metrics}"\nMetricsPort = 9000`

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['127.0.0.1', '0.0.0.0'],
  ['::', '127.0.0.1'],
  ['::1', '::'],
  ['localhost', 'localhost'],
])('the metrics at %s and the service at %s need different ports', (metrics, listen) => {
  expect(problems(toml(metrics, listen))).toEqual([
    'MetricsPort is 9000, which ListenPort takes on the same address: choose another port',
  ])
})

test.each([
  ['127.0.0.1', '10.0.0.5'],
  ['::1', '127.0.0.1'],
  ['::1', '0.0.0.0'],
])('the metrics at %s and the service at %s can share a port', (metrics, listen) => {
  expect(problems(toml(metrics, listen))).toEqual([])
})

test('any free port is not a conflict', () => {
  expect(problems('ListenPort = 0\nMetricsPort = 0')).toEqual([])
})

test('the address for other instances needs another port, and one for each worker', () => {
  const at = (port: number, more = '') =>
    problems(
      `ListenPort = 9000\nMetricsPort = 9003\nInstanceURL = "http://127.0.0.1:${String(port)}"\n${more}`,
    )
  expect(at(9000)).toEqual([
    'InstanceURL takes port 9000, which ListenPort takes on the same address: choose another port',
  ])
  expect(at(9001)).toEqual([])
  expect(at(9001, 'Workers = 3')).toEqual([
    'InstanceURL takes the ports 9001 to 9003, of which MetricsPort takes one on the same address: choose another port',
  ])
  expect(problems('ListenPort = 9000\nInstanceURL = "http://svc-1:9000"')).toHaveLength(1)
})
