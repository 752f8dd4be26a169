import { expect, test } from 'vitest'
import { formPart } from './form-part.ts'

const file = (name: string, fileName: string) => ({ isFile: true, name, fileName })
const field = { isFile: false }

test.each([
  ['a file', 'form-data; name="file"; filename="a b.txt"', file('file', 'a b.txt')],
  ['without quotes', 'form-data; name=file; filename=a b.txt', file('file', 'a b.txt')],
  ['without spaces', 'form-data;name="file";filename="a"', file('file', 'a')],
  ['in capitals', 'FORM-DATA; NAME="file"; FILENAME="A"', file('file', 'A')],
  ['with a semicolon', 'form-data; name="file"; filename="a; filename=b"', file('file', 'a; filename=b')],
  ['with escaped quotes', 'form-data; name="file"; filename="a\\"b\\\\c"', file('file', 'a"b\\c')],
  [
    'with a path of Windows',
    'form-data; name="file"; filename="C:\\temp\\a.txt"',
    file('file', 'C:\\temp\\a.txt'),
  ],
  ['without a last quote', 'form-data; name="file"; filename="a', file('file', 'a')],
  ['with an empty name', 'form-data; name="file"; filename=""', file('file', '')],
  ['without a name', 'form-data; filename="a"', file('', 'a')],
  [
    'with an extended name',
    `form-data; name="file"; filename="_"; filename*=UTF-8''%E2%82%AC`,
    file('file', '€'),
  ],
  [
    'with an invalid extended name',
    `form-data; name="file"; filename="_"; filename*=UTF-8''%E2`,
    file('file', '_'),
  ],
  ['beyond ASCII', 'form-data; name="file"; filename="Grüße"', file('file', 'Grüße')],
  ['a field', 'form-data; name="file"', field],
  ['another disposition', 'attachment; name="file"; filename="a"', field],
  ['a longer disposition', 'form-database; name="file"; filename="a"', field],
])('a disposition %s', (_what, disposition, part) => {
  expect(formPart(`\r\nContent-Type: text/plain\r\nContent-Disposition: ${disposition}`)).toEqual(part)
})

test('the type of arbitrary bytes makes a file without a name', () => {
  const headers = '\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream'
  expect(formPart(headers)).toEqual(file('file', ''))
})

test('a header can go on in the next line', () => {
  expect(formPart('\r\ncontent-disposition: form-data;\r\n\tname="file";\r\n filename=a')).toEqual(
    file('file', 'a'),
  )
})

test('no headers are a field', () => {
  expect(formPart('')).toEqual(field)
})
