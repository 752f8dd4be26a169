import { webClient } from '@svc/contract'
import { expect, test } from 'vitest'
import { clientKind } from './client-kind.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'browser'],
  ['svc/0.1.0 (linux; x64)', 'svc'],
  ['curl/8.9.1', 'curl'],
  ['Wget/1.21.4', 'wget'],
  ['Wget2/2.1.0', 'wget'],
  ['python-requests/2.32.0', 'other'],
  ['curlew/1.0', 'other'],
  ['', 'other'],
  [undefined, 'other'],
])('%s is %s', (userAgent, kind) => {
  expect(clientKind(userAgent)).toBe(kind)
})

test('the web application is a browser under any name', () => {
  expect(clientKind('Unknown/1.0', webClient)).toBe('browser')
})
