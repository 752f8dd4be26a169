import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { picture } from '../support/samples/media.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { newActor } from './actor.ts'
import { journeys } from './journeys.ts'
import { windows } from './windows.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** Interactions at most. */
const limits: Readonly<Record<string, number>> = {
  share: 3,
  'share-once': 7,
  'share-encrypted': 5,
  receive: 1,
  remove: 3,
}

test('every journey has a limit', () => {
  expect(journeys.map(({ name }) => name)).toEqual(Object.keys(limits))
})

test.for(journeys)('$title: in few clicks', async ({ name, run }) => {
  const actor = newActor()
  const errors: (readonly string[])[] = []
  const file = { name: 'view.png', bytes: Buffer.from(picture) }
  const received = await run({
    url: server.url,
    actor,
    file,
    visit: async (device) => {
      const { page, pageErrors } = await visit(browser, server.url, { viewport: windows[device] })
      errors.push(pageErrors)
      return page
    },
  })
  expect(actor.interactions.length, actor.interactions.join(', ')).toBeLessThanOrEqual(limits[name] ?? 0)
  if (received) expect(received).toEqual(file)
  expect(errors.flat()).toEqual([])
})
