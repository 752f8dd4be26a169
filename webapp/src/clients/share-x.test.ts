import { expect, test } from 'vitest'
import { customizeShareX, shareXFileName } from './share-x.ts'

const file = {
  Version: '14.0.0',
  Name: 'Svc at send.example',
  DestinationType: 'FileUploader',
  RequestMethod: 'POST',
  RequestURL: 'https://send.example/',
  Body: 'MultipartFormData',
  FileFormName: 'file',
  URL: '{regex:http.+}',
  DeletionURL: '',
  ErrorMessage: '{response}',
}

test('the destination has the name of the page', () => {
  expect(customizeShareX(file, { name: 'Files' })).toEqual({ ...file, Name: 'Files' })
})

test('a token is sent in a header', () => {
  expect(customizeShareX(file, { name: 'Files', token: 'svct_1' })).toEqual({
    ...file,
    Name: 'Files',
    Headers: { 'x-svctoken': 'svct_1' },
  })
})

test.for([
  ['Svc', 'Svc.sxcu'],
  ['Dateien für alle', 'Dateien für alle.sxcu'],
  ['../a/b: "c"', 'a-b- -c.sxcu'],
  ['???', 'svc.sxcu'],
  ['', 'svc.sxcu'],
] as const)('the file of “%s” is called %s', ([name, fileName]) => {
  expect(shareXFileName(name)).toBe(fileName)
})
