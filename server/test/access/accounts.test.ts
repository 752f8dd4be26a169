import { expect, test } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { questionsOf } from './groups.ts'
import { questions, routeOf } from './questions.ts'
import { testBlocks } from './scenarios.ts'
import { accounts } from './table-accounts.ts'
import { uploads } from './table-uploads.ts'
import { parseTable } from './verdicts.ts'

testBlocks(accounts)

/** Resumable uploads have protocols with other responses; their tests cover requests without rights. */
const askedElsewhere = 'Resumable uploads'

test('every route of the server has a line in the table, and every request of the table is sent', () => {
  const lines = [...accounts, ...uploads].flatMap(({ table }) => parseTable(table))
  const asked = new Set(lines.flatMap(({ label }) => questionsOf(label)))
  const routesAsked = new Set([...asked].map(routeOf))
  const unasked = routes.filter((route) => !routesAsked.has(route) && route.endpoint.tag !== askedElsewhere)
  expect(unasked.map(({ endpoint: { method, path } }) => `${method} ${path}`)).toEqual([])
  expect(Object.keys(questions).filter((label) => !asked.has(label))).toEqual([])
})
