import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { BrokenStreamError } from '../../data/backend/streams.ts'
import * as refusal from '../../domain/errors.ts'
import { logFailure, refusalOf } from './error-response.ts'

const request = { method: 'GET', routeOptions: { url: '/file' } } as unknown as FastifyRequest

test.each([
  ['a mistake of ours', refusal.internalError(new TypeError('no')), 1],
  ['a full store', refusal.noSpace(), 1],
  ['a store that does not answer', refusal.unavailable('the file store', new Error('no')), 1],
  ['a mistake of ours in a stream', refusal.streamBroken(new TypeError('no')), 1],
  ['a downloader that went away', refusal.streamBroken(new BrokenStreamError('gone')), 0],
  ['a sender that broke a rule', refusal.streamBroken(refusal.fileTooBig(1)), 0],
  ['a stream that nobody came for', refusal.streamTimeout(), 0],
  ['the end of the server', refusal.stopping(), 0],
  ['a file that is not there', refusal.fileNotFound(), 0],
])('%s is told to the operator, or not', (_what, refused, lines) => {
  const written: string[] = []
  logFailure(refused, request, pino({}, { write: (line) => written.push(line) }))
  expect(written).toHaveLength(lines)
})

test('what our own code could not read is no mistake of the client', () => {
  expect(refusalOf(new SyntaxError('no JSON in the database')).code).toBe('internal_error')
})
