import { eventKinds } from '@svc/contract'
import { expect, test } from 'vitest'
import { languages } from '../../i18n/locales.ts'
import { pushNotification } from './push-notification.ts'

const message = (type: string, data: object) =>
  JSON.stringify({ type, timestamp: '2026-11-27T01:00:00.000Z', data })

test('a download opens its upload, in the words of the language', () => {
  const shown = pushNotification('de', message('upload.downloaded', { uploadID: '4TDRXhYYGcNpBqcR' }))
  expect(shown).toEqual({
    title: 'Ihr Upload wurde heruntergeladen',
    body: '',
    language: 'de',
    direction: 'ltr',
    tag: 'upload.downloaded 2026-11-27T01:00:00.000Z 4TDRXhYYGcNpBqcR',
    time: Date.parse('2026-11-27T01:00:00.000Z'),
    hash: '#/?id=4TDRXhYYGcNpBqcR',
  })
})

test('what has come for a request opens the request', () => {
  const data = { requestID: '9RXhYYGcNpBqcR4T', uploadID: '4TDRXhYYGcNpBqcR', files: 2, size: 5 }
  expect(pushNotification('en', message('request.received', data))).toMatchObject({
    title: 'Files have arrived for your request',
    hash: '#/home/requests?id=9RXhYYGcNpBqcR4T',
  })
})

test('an upload that expires says when', () => {
  const data = { uploadID: 'a', expireAt: '2026-11-28T12:00:00.000Z' }
  expect(pushNotification('en', message('upload.expiring', data)).body).toMatch(/^Nov 2[789], 2026, /)
})

test('a quota shows its used part, and opens the usage', () => {
  const { body, hash } = pushNotification('en', message('limits.near', { usedSize: 93, maxUserSize: 100 }))
  expect([body, hash]).toEqual(['93%', '#/home/stats'])
})

test.for(['', 'text', 'null', '[]', '{"type":"constructor"}', '{"type":"upload.new_kind","data":null}'])(
  'a message %s that is not known is announced without details',
  (text) => {
    expect(pushNotification('en', text)).toMatchObject({
      title: 'There is news about your uploads',
      body: '',
      hash: '#/home/stats',
    })
  },
)

test('values that are not those of the protocol are left out', () => {
  expect(pushNotification('en', message('upload.expiring', { expireAt: {} })).body).toBe('')
  expect(pushNotification('en', message('limits.near', { usedSize: 'x', maxUserSize: 0 })).body).toBe('')
  expect(pushNotification('en', message('upload.downloaded', { uploadID: '../&key=x#' })).hash).toBe(
    '#/?id=..%2F%26key%3Dx%23',
  )
})

test('an unknown language is English', () => {
  expect(pushNotification('xx', message('limits.near', {})).title).toBe('Your storage is nearly full')
  expect(pushNotification('__proto__', '').language).toBe('en')
})

test.for(Object.keys(languages))('the texts of %s are different for each event', (language) => {
  const titles = [...eventKinds, 'other'].map((type) => pushNotification(language, message(type, {})).title)
  expect(new Set(titles).size).toBe(eventKinds.length + 1)
})
