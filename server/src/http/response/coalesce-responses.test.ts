import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { coalesceResponses } from './coalesce-responses.ts'

function recordingApp() {
  const app = Fastify() as unknown as FastifyInstance
  coalesceResponses(app, pino({ enabled: false }))
  const events: string[] = []
  app.get('/text/:name', (request) => {
    const { name } = request.params as { readonly name: string }
    events.push(`${name} is handled`)
    return name
  })
  app.get('/flow', () => Readable.from([Buffer.from('bytes')]))
  app.addHook('onSend', (request, _reply, _payload, done) => {
    events.push(`${request.url} is sent`)
    done()
  })
  return { app, events }
}

test('responses of one event loop iteration are sent together', async () => {
  const { app, events } = recordingApp()
  const responses = await Promise.all(['/text/a', '/text/b', '/text/c'].map((url) => app.inject(url)))
  expect(responses.map(({ body }) => body)).toEqual(['a', 'b', 'c'])
  expect(events).toEqual([
    'a is handled',
    'b is handled',
    'c is handled',
    '/text/a is sent',
    '/text/b is sent',
    '/text/c is sent',
  ])
})

test('a stream does not wait', async () => {
  const { app, events } = recordingApp()
  const [, flow] = await Promise.all([app.inject('/text/a'), app.inject('/flow')])
  expect(flow.body).toBe('bytes')
  expect(events).toEqual(['a is handled', '/flow is sent', '/text/a is sent'])
})

test('a response that cannot be sent affects neither others nor the server', async () => {
  const lines: string[] = []
  const app = Fastify() as unknown as FastifyInstance
  coalesceResponses(app, pino({ messageKey: 'text' }, { write: (line) => lines.push(line) }))
  app.get('/bad', (_request, reply) => reply.header('x-bad', 'two\nlines').send('never'))
  app.get('/good', () => 'good')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const [bad, good] = await Promise.allSettled(['/bad', '/good'].map((path) => fetch(url + path)))
  expect(bad).toMatchObject({ status: 'rejected' })
  expect(good).toMatchObject({ status: 'fulfilled', value: { status: 200 } })
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ text: 'response not sent', route: '/bad' }),
  ])
  await app.close()
})
