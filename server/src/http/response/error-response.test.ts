import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { BrokenStreamError } from '../../data/backend/streams.ts'
import * as errors from '../../domain/errors.ts'
import { logFailure, toServiceError } from './error-response.ts'

const request = { method: 'GET', routeOptions: { url: '/file' } } as unknown as FastifyRequest

test.each([
  ['a mistake of ours', errors.internalError(new TypeError('no')), 1],
  ['a full store', errors.noSpace(), 1],
  ['a store that does not answer', errors.unavailable('the file store', new Error('no')), 1],
  ['a mistake of ours in a stream', errors.streamBroken(new TypeError('no')), 1],
  ['a downloader that went away', errors.streamBroken(new BrokenStreamError('gone')), 0],
  ['a sender that broke a rule', errors.streamBroken(errors.fileTooBig(1)), 0],
  ['a stream that nobody came for', errors.streamTimeout(), 0],
  ['the end of the server', errors.stopping(), 0],
  ['a file that is not there', errors.fileNotFound(), 0],
])('%s is told to the operator, or not', (_what, refused, lines) => {
  const written: string[] = []
  logFailure(refused, request, pino({}, { write: (line) => written.push(line) }))
  expect(written).toHaveLength(lines)
})

test('what our own code could not read is no mistake of the client', () => {
  expect(toServiceError(new SyntaxError('no JSON in the database')).code).toBe('internal_error')
})
