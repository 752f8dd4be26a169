import Fastify from 'fastify'

/** The least that a JSON route can be: no input, no look-up, no log. It prints where it listens. */
const app = Fastify()
app.get(
  '/',
  {
    schema: {
      response: { 200: { type: 'object', properties: { hello: { type: 'string' } }, required: ['hello'] } },
    },
  },
  () => ({ hello: 'world' }),
)
console.log(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}/`)
