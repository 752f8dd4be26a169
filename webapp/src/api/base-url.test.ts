import { expect, test } from 'vitest'
import { baseURLOf } from './base-url.ts'

test.for([
  ['https://send.example/', 'https://send.example'],
  ['https://send.example/#/?id=a/b', 'https://send.example'],
  ['https://send.example/share/', 'https://send.example/share'],
  ['https://send.example/share/index.html?x=1#/', 'https://send.example/share'],
  ['http://[::1]:8080/a/b/#/', 'http://[::1]:8080/a/b'],
] as const)('the server of %s is reached at %s', ([page, server]) => {
  expect(baseURLOf(page)).toBe(server)
})
