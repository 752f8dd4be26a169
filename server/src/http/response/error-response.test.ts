import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { BrokenStreamError } from '../../data/backend/streams.ts'
import { spaceRefusals } from '../../core/space/space-refusals.ts'
import * as errors from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import { logFailure, toServiceError } from './error-response.ts'

const request = { method: 'GET', routeOptions: { url: '/file', config: {} } } as unknown as FastifyRequest

test.each([
  ['a bug', errors.internalError(new TypeError('no')), 1],
  ['a full store', errors.noSpace(), 1],
  ['an unreachable store', errors.unavailable('the file store', new Error('no')), 1],
  ['a bug in a stream', errors.streamBroken(new TypeError('no')), 1],
  ['a recipient that disconnected', errors.streamBroken(new BrokenStreamError('gone')), 0],
  ['a sender that exceeded a limit', errors.streamBroken(errors.fileTooBig(1)), 0],
  ['a stream without a recipient', errors.streamTimeout(), 0],
  ['the shutdown of the server', errors.stopping(), 0],
  ['a missing file', fileNotFound(), 0],
])('%s: whether it is logged', (_case, rejected, lines) => {
  const written: string[] = []
  const log = pino({}, { write: (line) => written.push(line) })
  logFailure(rejected, request, { log, spaceRefusals: spaceRefusals({ now: () => 0 }, log) })
  expect(written).toHaveLength(lines)
})

test('a full disk is logged once a minute as a warning, and counted', () => {
  const written: string[] = []
  const log = pino({}, { write: (line) => written.push(line) })
  let now = 0
  const reporting = { log, spaceRefusals: spaceRefusals({ now: () => now }, log) }
  for (; now < 120_000; now += 1_000) {
    logFailure(errors.noSpace(), request, reporting)
    logFailure(errors.databaseFull(new Error('no pages')), request, reporting)
  }
  expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 40, method: 'GET', route: '/file', code: 'no_space' }),
    expect.objectContaining({ level: 40, method: 'GET', route: '/file', code: 'no_space' }),
  ])
  expect(written.join('')).not.toContain('stack')
  expect(reporting.spaceRefusals.counts()).toEqual({ no_space: 120, database_full: 120 })
})

test('a parse error inside the server is not an error of the client', () => {
  expect(toServiceError(new SyntaxError('no JSON in the database')).code).toBe('internal_error')
})
