import { expect, test } from 'vitest'
import { shareXConfiguration, shareXFileName } from './share-x.ts'

const baseURL = 'https://send.example/share'

test('ShareX is told where to send, and where the answer has the link', () => {
  expect(shareXConfiguration({ baseURL, name: 'Files' })).toEqual({
    Version: '14.0.0',
    Name: 'Files',
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: 'https://send.example/share/',
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{regex:http.+}',
    DeletionURL: 'https://send.example/share/#/?id={header:x-uploadid}&uploadToken={header:x-uploadtoken}',
    ErrorMessage: '{response}',
  })
})

test('a token goes into a header', () => {
  expect(shareXConfiguration({ baseURL, name: 'Files', token: 'svct_1' })).toHaveProperty('Headers', {
    'x-svctoken': 'svct_1',
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
