import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellWord } from '@svc/terminal'
import { pipeUpload, quickUpload, shellFunction, windowsUpload } from './shell-commands.ts'

const base = 'https://send.example/share'

test('a file is uploaded with curl', () => {
  expect([
    quickUpload(base),
    quickUpload(base, { query: { oneShot: 'true', ttl: '1d' } }),
    quickUpload(base, { token: 'svct_abc' }),
    quickUpload(base, { needsToken: true }),
    pipeUpload(base),
    shellFunction(base),
    windowsUpload(base, { needsToken: true }),
  ]).toEqual([
    'curl -F file=@FILE https://send.example/share/',
    "curl -F file=@FILE 'https://send.example/share/?oneShot=true&ttl=1d'",
    "curl -H 'X-SvcToken: svct_abc' -F file=@FILE https://send.example/share/",
    'curl -H "X-SvcToken: $SVC_TOKEN" -F file=@FILE https://send.example/share/',
    'tar cz FOLDER | curl -T - https://send.example/share/folder.tar.gz',
    'send() { for file; do curl -F "file=@$file" https://send.example/share/; done; }',
    'curl.exe -H "X-SvcToken: %SVC_TOKEN%" -F file=@FILE "https://send.example/share/"',
  ])
})

test('a shell reads a quoted word unchanged, with any characters', () => {
  fc.assert(
    fc.property(
      fc
        .string({ unit: 'binary', maxLength: 30 })
        .filter((text) => !text.includes('\0') && text.isWellFormed()),
      (text) => {
        const read = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })
        expect(read).toBe(text)
      },
    ),
    { numRuns: 40 },
  )
})
