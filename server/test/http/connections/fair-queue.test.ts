import QRCode from 'qrcode'
import { expect, test } from 'vitest'
import { recommendedCost } from '../../../src/auth/passwords.ts'
import { accountsConfig, root, signIn } from '../../support/clients/accounts.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { startTestServer } from '../../support/servers/test-server.ts'

test('many connections that create protected uploads do not delay a login', async () => {
  const server = await startTestServer({
    config: { accounts: accountsConfig },
    features: { feature_authentication: 'enabled' },
    passwordCost: recommendedCost,
  })
  try {
    let responded = 0
    const create = async () => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ password: 'of the upload' })
      const { status } = await sendRequest(server.url, '/upload', { method: 'POST', headers, body })
      responded += 1
      return status
    }
    const uploads = Array.from({ length: 96 }, create)
    // The first response arrives when all other requests wait.
    await Promise.race(uploads)
    const before = responded
    await signIn(server, root)
    const during = responded - before
    const statuses = await Promise.all(uploads)
    // Requests beyond the queue are rejected at once; of the others, hardly any runs before the login.
    const created = statuses.filter((status) => status === 200).length
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(created).toBeGreaterThan(60)
    expect(during - (96 - created)).toBeLessThan(10)
  } finally {
    await server.close()
  }
})

test('QR codes are drawn outside the event loop', async () => {
  const server = await startTestServer()
  try {
    const draw = () => sendRequest(server.url, '/qrcode?url=https%3A%2F%2Fsvc.example%2F&size=1000')
    const here = () => QRCode.toBuffer('https://svc.example/', { type: 'png', width: 1000 })
    // How many times the event loop turns, so that it can handle other requests, while something is drawn five times.
    const turns = async (drawOne: () => Promise<unknown>) => {
      let count = 0
      let isRunning = true
      const next = () => {
        count += 1
        if (isRunning) setImmediate(next)
      }
      next()
      for (let time = 0; time < 5; time += 1) await drawOne()
      isRunning = false
      return count
    }
    await draw()
    await here()
    expect(await turns(draw)).toBeGreaterThan(5 * (await turns(here)))
  } finally {
    await server.close()
  }
})
