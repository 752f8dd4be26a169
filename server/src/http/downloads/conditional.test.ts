import { describe, expect, it, test } from 'vitest'
import { evaluate, type ConditionalHeaders } from './conditional.ts'

const modified = Date.parse('2026-03-04T05:06:07.890Z')
const validators = { etag: '"abc"', lastModified: modified }
const size = 100
const answer = (headers: ConditionalHeaders) => evaluate(headers, validators, size)

const before = 'Wed, 04 Mar 2026 05:06:06 GMT'
const exactly = 'Wed, 04 Mar 2026 05:06:07 GMT'
const after = 'Wed, 04 Mar 2026 05:06:08 GMT'

const all = { status: 200 }
const unchanged = { status: 304 }
const part = { status: 206, start: 10, end: 19 }
const range = 'bytes=10-19'

test('without conditions, a GET is answered with the whole', () => {
  expect(answer({})).toEqual(all)
  expect(evaluate({}, validators, 0)).toEqual(all)
})

describe('Range', () => {
  it('is answered with the part', () => {
    expect(answer({ range })).toEqual(part)
    expect(answer({ range: 'bytes=-1' })).toEqual({ status: 206, start: 99, end: 99 })
    expect(answer({ range: 'bytes=0-' })).toEqual({ status: 206, start: 0, end: 99 })
  })

  it('is answered with 416 when there is no such part', () => {
    expect(answer({ range: 'bytes=100-' })).toEqual({ status: 416 })
  })

  it('is answered with the whole when it asks for several parts or makes no sense', () => {
    expect(answer({ range: 'bytes=0-1,5-6' })).toEqual(all)
    expect(answer({ range: 'lines=0-1' })).toEqual(all)
  })
})

describe('If-None-Match', () => {
  test.each(['"abc"', 'W/"abc"', '*', ' * ', '"x", "abc"', '"x",W/"abc","y"', '"a,b" , "abc"', '"W/","abc"'])(
    '%s names what the client has',
    (tags) => {
      expect(answer({ 'if-none-match': tags })).toEqual(unchanged)
    },
  )

  test.each(['"x"', '"abc', 'abc', '"ABC"', '', '"abc "', '"W/"', '"x,abc,y"', "'abc'", '**'])(
    '%j names something else',
    (tags) => {
      expect(answer({ 'if-none-match': tags })).toEqual(all)
    },
  )

  it('compares weakly on both sides', () => {
    const weak = { ...validators, etag: 'W/"abc"' }
    expect(evaluate({ 'if-none-match': '"abc"' }, weak, size)).toEqual(unchanged)
    expect(evaluate({ 'if-none-match': 'W/"abc"' }, weak, size)).toEqual(unchanged)
  })

  it('comes before dates', () => {
    expect(answer({ 'if-none-match': '"x"', 'if-modified-since': after })).toEqual(all)
    expect(answer({ 'if-none-match': '"abc"', 'if-modified-since': before })).toEqual(unchanged)
  })

  it('comes before ranges', () => {
    expect(answer({ 'if-none-match': '"abc"', range })).toEqual(unchanged)
    expect(answer({ 'if-none-match': '"abc"', range: 'bytes=100-' })).toEqual(unchanged)
    expect(answer({ 'if-none-match': '"x"', range })).toEqual(part)
  })
})

describe('If-Modified-Since', () => {
  it('compares whole seconds', () => {
    expect(answer({ 'if-modified-since': before })).toEqual(all)
    expect(answer({ 'if-modified-since': exactly })).toEqual(unchanged)
    expect(answer({ 'if-modified-since': after })).toEqual(unchanged)
  })

  it('is ignored when it is no HTTP date', () => {
    expect(answer({ 'if-modified-since': '2099-01-01' })).toEqual(all)
    expect(answer({ 'if-modified-since': '' })).toEqual(all)
  })

  it('comes before ranges', () => {
    expect(answer({ 'if-modified-since': exactly, range })).toEqual(unchanged)
    expect(answer({ 'if-modified-since': before, range })).toEqual(part)
  })
})

describe('If-Range', () => {
  it('gives the part of the same version', () => {
    expect(answer({ 'if-range': '"abc"', range })).toEqual(part)
    expect(answer({ 'if-range': exactly, range })).toEqual(part)
  })

  test.each(['"x"', 'W/"abc"', before, after, 'abc', '', '*', '"abc", "x"'])(
    'gives the whole for another version: %j',
    (value) => {
      expect(answer({ 'if-range': value, range })).toEqual(all)
      expect(answer({ 'if-range': value, range: 'bytes=100-' })).toEqual(all)
    },
  )

  it('never trusts a weak tag', () => {
    const weak = { ...validators, etag: 'W/"abc"' }
    expect(evaluate({ 'if-range': 'W/"abc"', range }, weak, size)).toEqual(all)
    expect(evaluate({ 'if-range': '"abc"', range }, weak, size)).toEqual(all)
  })

  it('says nothing without a range', () => {
    expect(answer({ 'if-range': '"x"' })).toEqual(all)
    expect(answer({ 'if-range': '"abc"' })).toEqual(all)
  })

  it('leaves 416 as it is for the same version', () => {
    expect(answer({ 'if-range': '"abc"', range: 'bytes=100-' })).toEqual({ status: 416 })
  })
})

describe('If-Match and If-Unmodified-Since', () => {
  it('never refuse a whole', () => {
    expect(answer({ 'if-match': '"x"' })).toEqual(all)
    expect(answer({ 'if-unmodified-since': before })).toEqual(all)
  })

  it('give the part of the same version', () => {
    for (const tags of ['"abc"', '*', '"x", "abc"']) expect(answer({ 'if-match': tags, range })).toEqual(part)
    expect(answer({ 'if-unmodified-since': exactly, range })).toEqual(part)
    expect(answer({ 'if-unmodified-since': after, range })).toEqual(part)
    expect(answer({ 'if-unmodified-since': 'no date', range })).toEqual(part)
  })

  it('give the whole rather than a part of another version', () => {
    for (const tags of ['"x"', 'W/"abc"', '']) expect(answer({ 'if-match': tags, range })).toEqual(all)
    expect(answer({ 'if-unmodified-since': before, range })).toEqual(all)
  })

  it('look at the date only without tags', () => {
    expect(answer({ 'if-match': '"abc"', 'if-unmodified-since': before, range })).toEqual(part)
    expect(answer({ 'if-match': '"x"', 'if-unmodified-since': after, range })).toEqual(all)
  })

  it('do not stand in the way of 304', () => {
    expect(answer({ 'if-match': '"x"', 'if-none-match': '"abc"' })).toEqual(unchanged)
  })
})
