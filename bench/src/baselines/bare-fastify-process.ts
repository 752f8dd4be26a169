import Fastify from 'fastify'

/** The smallest JSON route: no input, no query, no log. It prints its address. */
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
