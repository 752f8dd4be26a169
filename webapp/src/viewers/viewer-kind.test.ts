import { describe, expect, test } from 'vitest'
import { viewerKind } from './viewer-kind.ts'

const unknown = 'application/octet-stream'

describe('the viewer of a file depends on its content, then on its name', () => {
  test.for([
    ['photo.jpg', 'image/jpeg', 'image'],
    ['photo.txt', 'image/png', 'image'],
    ['photo', 'image/vnd.microsoft.icon', 'image'],
    ['scan.tiff', 'image/tiff', undefined],
    ['phone.heic', 'image/heic', undefined],
    ['drawing.svg', 'image/svg+xml', 'svg'],
    ['paper', 'application/pdf', 'pdf'],
    ['song', 'audio/ogg; codecs=opus', 'audio'],
    ['clip.bin', 'video/mp4', 'video'],
    ['README.md', 'text/plain', 'markdown'],
    ['read.MD', 'text/plain; charset=utf-16', 'markdown'],
    ['plain.pdf', 'text/plain', 'pdf'],
    ['page.html', 'text/html', 'text'],
    ['feed', 'application/xml', 'text'],
    ['data', 'application/ld+json', 'text'],
    ['latin.txt', unknown, 'text'],
    ['letters.JSON', unknown, 'text'],
    ['deep/folder.d/Makefile', unknown, 'text'],
    ['secret.mp4', unknown, 'video'],
    ['secret.pdf', '', 'pdf'],
    ['archive.zip', 'application/zip', undefined],
    ['archive.txt', 'application/zip', undefined],
    ['program.exe', unknown, undefined],
    ['no-ending', unknown, undefined],
    ['x.constructor', unknown, undefined],
    ['folder.txt/file', unknown, undefined],
  ] as const)('%s of %s is %s', ([fileName, type, kind]) => {
    expect(viewerKind({ fileName, type }, { e2ee: '' })).toBe(kind)
  })

  test('the viewer of an encrypted file depends on its name only', () => {
    const kindOf = (fileName: string) => viewerKind({ fileName, type: 'text/plain' }, { e2ee: 'age' })
    expect(['a.png', 'a.txt', 'a.bin'].map(kindOf)).toEqual(['image', 'text', undefined])
  })
})
