import { expect, test } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { requestsOf } from './requests/request-groups.ts'
import { requestBuilders, routeOf } from './requests/requests.ts'
import { testBlocks } from './scenarios.ts'
import { accounts } from './tables/accounts.ts'
import { requests } from './tables/requests.ts'
import { uploads } from './tables/uploads.ts'
import { parseTable } from './tables/parser.ts'

testBlocks(accounts)

/** Resumable uploads have protocols with other responses; their tests cover requests without rights. */
const testedElsewhere = 'Resumable uploads'

test('every route of the server has a line in the table, and every request of the table is sent', () => {
  const lines = [...accounts, ...uploads, ...requests].flatMap(({ table }) => parseTable(table))
  const sentLabels = new Set(lines.flatMap(({ label }) => requestsOf(label)))
  const testedRoutes = new Set([...sentLabels].map(routeOf))
  const untested = routes.filter(
    (route) => !testedRoutes.has(route) && route.endpoint.tag !== testedElsewhere,
  )
  expect(untested.map(({ endpoint: { method, path } }) => `${method} ${path}`)).toEqual([])
  expect(Object.keys(requestBuilders).filter((label) => !sentLabels.has(label))).toEqual([])
})
