import { expect, test } from 'vitest'
import { fileKind } from './file-kind.ts'

test.for([
  ['photo.jpg', 'image/jpeg', 'image'],
  ['photo.jpg', '', 'image'],
  ['PHOTO.HEIC', 'application/octet-stream', 'image'],
  ['film', 'video/mp4', 'video'],
  ['song.mp3', '', 'audio'],
  ['paper.pdf', 'application/pdf', 'pdf'],
  ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
  ['sums.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'table'],
  ['sums.csv', 'text/plain', 'table'],
  ['talk.odp', 'application/vnd.oasis.opendocument.presentation', 'slides'],
  ['main.ts', 'text/plain', 'code'],
  ['data.json', 'application/json', 'code'],
  ['drawing.svg', 'image/svg+xml', 'image'],
  ['all.tar.gz', 'application/gzip', 'archive'],
  ['setup.exe', 'application/x-msdownload', 'program'],
  ['notes.txt', 'text/plain', 'text'],
  ['README', 'text/plain', 'text'],
  ['thing.constructor', '', 'file'],
  ['thing', '', 'file'],
] as const)('%s of the type “%s” is of the kind %s', ([name, type, kind]) => {
  expect(fileKind({ name, type })).toBe(kind)
})
