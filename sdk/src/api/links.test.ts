import { expect, test } from 'vitest'
import { createLinks } from './links.ts'

const links = createLinks('https://send.example/share/')
const upload = { id: 'u1' }
const file = { id: 'f1', fileName: 'trip/a b#1?.txt' }

test('links stay below the base URL of the server', () => {
  expect({
    file: links.fileURL(upload, file),
    saved: links.fileURL(upload, file, 'save'),
    archive: links.archiveURL(upload, 'all files.zip'),
    page: links.pageURL(upload),
    filePage: links.pageURL(upload, { fileID: 'f1' }),
    momentPage: links.pageURL(upload, { fileID: 'f1', start: 5 }),
    admin: links.pageURL(upload, { uploadToken: 't1' }),
    request: links.requestURL({ id: 'r1' }),
    encryptedRequest: links.requestURL({ id: 'r1' }, 'abc'),
    qrCode: links.qrCodeURL('https://x/#/?id=1&a=b', 200),
  }).toEqual({
    file: 'https://send.example/share/file/u1/f1/trip/a%20b%231%3F.txt',
    saved: 'https://send.example/share/file/u1/f1/trip/a%20b%231%3F.txt?dl=1',
    archive: 'https://send.example/share/archive/u1/all%20files.zip?dl=1',
    page: 'https://send.example/share/#/?id=u1',
    filePage: 'https://send.example/share/#/?id=u1&file=f1',
    momentPage: 'https://send.example/share/#/?id=u1&file=f1&t=5',
    admin: 'https://send.example/share/#/?id=u1&uploadToken=t1',
    request: 'https://send.example/share/#/request?id=r1',
    encryptedRequest: 'https://send.example/share/#/request?id=r1&key=abc',
    qrCode: 'https://send.example/share/qrcode?url=https%3A%2F%2Fx%2F%23%2F%3Fid%3D1%26a%3Db&size=200',
  })
})

test('files and archives use the download domain, pages do not', () => {
  const elsewhere = { id: 'u1', downloadURL: 'https://files.example/' }
  expect([
    links.fileURL(elsewhere, { id: 'f1', fileName: 'a' }),
    links.archiveURL(elsewhere),
    links.pageURL(elsewhere),
  ]).toEqual([
    'https://files.example/file/u1/f1/a',
    'https://files.example/archive/u1/u1.zip?dl=1',
    'https://send.example/share/#/?id=u1',
  ])
})

test('a link to the file of a stream is a stream URL', () => {
  const { fileURL } = createLinks('https://svc.example')
  const file = { id: 'f1', fileName: 'a b' }
  expect(fileURL({ id: 'u1', stream: true }, file)).toBe('https://svc.example/stream/u1/f1/a%20b')
  expect(fileURL({ id: 'u1', stream: false }, file)).toBe('https://svc.example/file/u1/f1/a%20b')
})
