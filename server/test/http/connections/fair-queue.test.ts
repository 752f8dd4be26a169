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
    const cost = async (work: () => Promise<unknown>) => {
      const before = process.threadCpuUsage()
      await work()
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    const here = () => QRCode.toBuffer('https://svc.example/', { type: 'png', width: 1000 })
    await here()
    await draw()
    const drawnHere = await cost(async () => {
      for (let time = 0; time < 10; time += 1) await here()
    })
    const sentRequests = await cost(() => Promise.all(Array.from({ length: 10 }, draw)))
    expect(sentRequests).toBeLessThan(drawnHere / 3)
  } finally {
    await server.close()
  }
})
