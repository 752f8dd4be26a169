import { expect, test } from 'vitest'
import { shellPart } from './shell-path.ts'

const scope = 'https://send.example/share/'

test.for([
  ['GET', scope, 'newest'],
  ['GET', `${scope}index.html`, 'newest'],
  ['GET', `${scope}settings.json`, 'newest'],
  ['GET', `${scope}assets/index-Ab_1-x.js`, 'lasting'],
  ['GET', `${scope}assets/index.css`, 'lasting'],
  ['POST', scope, undefined],
  ['HEAD', scope, undefined],
  ['GET', `${scope}?x`, undefined],
  ['GET', `${scope}config`, undefined],
  ['GET', `${scope}me`, undefined],
  ['GET', `${scope}file/a/b/index.html`, undefined],
  ['GET', `${scope}file/assets/x`, undefined],
  ['GET', `${scope}assets/deep/x.js`, undefined],
  ['GET', `${scope}decrypted/1`, undefined],
  ['GET', 'https://send.example/', undefined],
  ['GET', 'https://send.example/assets/index.js', undefined],
  ['GET', 'https://other.example/share/', undefined],
] as const)('%s %s is %s', ([method, url, part]) => {
  expect(shellPart(method, url, scope)).toBe(part)
})
