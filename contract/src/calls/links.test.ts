import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archivePath, encodeFileName, endpointPath, filePath, pagePath, withKey } from './links.ts'

test('a URL preserves any well-formed name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
      fc.pre(name.isWellFormed())
      const { pathname } = new URL(`http://localhost/x/${encodeFileName(name.replaceAll(/^\.+$/g, 'dots'))}`)
      expect(decodeURIComponent(pathname.slice(3))).toBe(name.replaceAll(/^\.+$/g, 'dots'))
    }),
  )
})

test('the path of an endpoint has its parameters percent-encoded', () => {
  expect(endpointPath('GET /me/uploads', {})).toBe('/me/uploads')
  expect(endpointPath('POST /', {})).toBe('/')
  expect(endpointPath('DELETE /user/{userID}', { userID: 'idp1:a/b%' })).toBe('/user/idp1%3Aa%2Fb%25')
  expect(
    endpointPath('POST /file/{uploadID}/{fileID}/{filename}', {
      uploadID: 'U',
      fileID: 'F',
      filename: '{fileID}',
    }),
  ).toBe('/file/U/F/%7BfileID%7D')
})

test('links have the paths of the protocol', () => {
  expect(filePath('U', 'F', 'a b/c#d.txt')).toBe('/file/U/F/a%20b/c%23d.txt')
  expect(archivePath('U', 'all/files.zip')).toBe('/archive/U/all%2Ffiles.zip')
  expect(pagePath('U')).toBe('/#/?id=U')
})

test.for([
  ['https://x.example/#/?id=U', '1', 'https://x.example/#/?id=U&manifest=1#key=a%20b'],
  ['https://x.example/s/holiday', '1', 'https://x.example/s/holiday#manifest=1#key=a%20b'],
  ['https://x.example/#/?id=U', undefined, 'https://x.example/#/?id=U#key=a%20b'],
  ['https://x.example/file/U/F/n', undefined, 'https://x.example/file/U/F/n#key=a%20b'],
] as const)('%s with the mark %s and a key is %s', ([url, manifest, link]) => {
  expect(withKey(url, 'a b', manifest)).toBe(link)
})

test('a mark needs no key', () => {
  expect(withKey('https://x.example/#/?id=U', undefined, 'M')).toBe('https://x.example/#/?id=U&manifest=M')
  expect(withKey('https://x.example/s/holiday', undefined, 'M')).toBe(
    'https://x.example/s/holiday#manifest=M',
  )
})
