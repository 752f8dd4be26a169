import { describe, expect, it, test } from 'vitest'
import { evaluate, type ConditionalHeaders } from './conditional.ts'

const modified = Date.parse('2026-03-04T05:06:07.890Z')
const validators = { etag: '"abc"', lastModified: modified }
const size = 100
const evaluateFile = (headers: ConditionalHeaders) => evaluate(headers, validators, size)

const before = 'Wed, 04 Mar 2026 05:06:06 GMT'
const exactly = 'Wed, 04 Mar 2026 05:06:07 GMT'
const after = 'Wed, 04 Mar 2026 05:06:08 GMT'

const all = { status: 200 }
const unchanged = { status: 304 }
const part = { status: 206, start: 10, end: 19 }
const range = 'bytes=10-19'

test('without conditions, a GET gets the whole file', () => {
  expect(evaluateFile({})).toEqual(all)
  expect(evaluate({}, validators, 0)).toEqual(all)
})

describe('Range', () => {
  it('gets the part', () => {
    expect(evaluateFile({ range })).toEqual(part)
    expect(evaluateFile({ range: 'bytes=-1' })).toEqual({ status: 206, start: 99, end: 99 })
    expect(evaluateFile({ range: 'bytes=0-' })).toEqual({ status: 206, start: 0, end: 99 })
  })

  it('gets 416 when the part does not exist', () => {
    expect(evaluateFile({ range: 'bytes=100-' })).toEqual({ status: 416 })
  })

  it('gets the whole file when it has several ranges or is malformed', () => {
    expect(evaluateFile({ range: 'bytes=0-1,5-6' })).toEqual(all)
    expect(evaluateFile({ range: 'lines=0-1' })).toEqual(all)
  })
})

describe('If-None-Match', () => {
  test.each(['"abc"', 'W/"abc"', '*', ' * ', '"x", "abc"', '"x",W/"abc","y"', '"a,b" , "abc"', '"W/","abc"'])(
    '%s matches',
    (tags) => {
      expect(evaluateFile({ 'if-none-match': tags })).toEqual(unchanged)
    },
  )

  test.each(['"x"', '"abc', 'abc', '"ABC"', '', '"abc "', '"W/"', '"x,abc,y"', "'abc'", '**'])(
    '%j does not match',
    (tags) => {
      expect(evaluateFile({ 'if-none-match': tags })).toEqual(all)
    },
  )

  it('compares weakly on both sides', () => {
    const weak = { ...validators, etag: 'W/"abc"' }
    expect(evaluate({ 'if-none-match': '"abc"' }, weak, size)).toEqual(unchanged)
    expect(evaluate({ 'if-none-match': 'W/"abc"' }, weak, size)).toEqual(unchanged)
  })

  it('has precedence over dates', () => {
    expect(evaluateFile({ 'if-none-match': '"x"', 'if-modified-since': after })).toEqual(all)
    expect(evaluateFile({ 'if-none-match': '"abc"', 'if-modified-since': before })).toEqual(unchanged)
  })

  it('has precedence over ranges', () => {
    expect(evaluateFile({ 'if-none-match': '"abc"', range })).toEqual(unchanged)
    expect(evaluateFile({ 'if-none-match': '"abc"', range: 'bytes=100-' })).toEqual(unchanged)
    expect(evaluateFile({ 'if-none-match': '"x"', range })).toEqual(part)
  })
})

describe('If-Modified-Since', () => {
  it('compares whole seconds', () => {
    expect(evaluateFile({ 'if-modified-since': before })).toEqual(all)
    expect(evaluateFile({ 'if-modified-since': exactly })).toEqual(unchanged)
    expect(evaluateFile({ 'if-modified-since': after })).toEqual(unchanged)
  })

  it('is ignored when it is not an HTTP date', () => {
    expect(evaluateFile({ 'if-modified-since': '2099-01-01' })).toEqual(all)
    expect(evaluateFile({ 'if-modified-since': '' })).toEqual(all)
  })

  it('has precedence over ranges', () => {
    expect(evaluateFile({ 'if-modified-since': exactly, range })).toEqual(unchanged)
    expect(evaluateFile({ 'if-modified-since': before, range })).toEqual(part)
  })
})

describe('If-Range', () => {
  it('allows the part of the same version', () => {
    expect(evaluateFile({ 'if-range': '"abc"', range })).toEqual(part)
    expect(evaluateFile({ 'if-range': exactly, range })).toEqual(part)
  })

  test.each(['"x"', 'W/"abc"', before, after, 'abc', '', '*', '"abc", "x"'])(
    'gets the whole file for another version: %j',
    (value) => {
      expect(evaluateFile({ 'if-range': value, range })).toEqual(all)
      expect(evaluateFile({ 'if-range': value, range: 'bytes=100-' })).toEqual(all)
    },
  )

  it('never trusts a weak tag', () => {
    const weak = { ...validators, etag: 'W/"abc"' }
    expect(evaluate({ 'if-range': 'W/"abc"', range }, weak, size)).toEqual(all)
    expect(evaluate({ 'if-range': '"abc"', range }, weak, size)).toEqual(all)
  })

  it('has no effect without a range', () => {
    expect(evaluateFile({ 'if-range': '"x"' })).toEqual(all)
    expect(evaluateFile({ 'if-range': '"abc"' })).toEqual(all)
  })

  it('keeps 416 for the same version', () => {
    expect(evaluateFile({ 'if-range': '"abc"', range: 'bytes=100-' })).toEqual({ status: 416 })
  })
})

describe('If-Match and If-Unmodified-Since', () => {
  it('never reject a request for the whole file', () => {
    expect(evaluateFile({ 'if-match': '"x"' })).toEqual(all)
    expect(evaluateFile({ 'if-unmodified-since': before })).toEqual(all)
  })

  it('allow the part of the same version', () => {
    for (const tags of ['"abc"', '*', '"x", "abc"'])
      expect(evaluateFile({ 'if-match': tags, range })).toEqual(part)
    expect(evaluateFile({ 'if-unmodified-since': exactly, range })).toEqual(part)
    expect(evaluateFile({ 'if-unmodified-since': after, range })).toEqual(part)
    expect(evaluateFile({ 'if-unmodified-since': 'no date', range })).toEqual(part)
  })

  it('get the whole file instead of a part of another version', () => {
    for (const tags of ['"x"', 'W/"abc"', '']) expect(evaluateFile({ 'if-match': tags, range })).toEqual(all)
    expect(evaluateFile({ 'if-unmodified-since': before, range })).toEqual(all)
  })

  it('use the date only without tags', () => {
    expect(evaluateFile({ 'if-match': '"abc"', 'if-unmodified-since': before, range })).toEqual(part)
    expect(evaluateFile({ 'if-match': '"x"', 'if-unmodified-since': after, range })).toEqual(all)
  })

  it('do not prevent 304', () => {
    expect(evaluateFile({ 'if-match': '"x"', 'if-none-match': '"abc"' })).toEqual(unchanged)
  })
})
