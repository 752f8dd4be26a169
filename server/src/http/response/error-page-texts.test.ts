import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { errorPageTexts } from './error-page-texts.ts'

test.each(Object.entries(errorPageTexts))(
  'the sentences of the error page are those of the web application: %s',
  async (language, { sentences }) => {
    const file = new URL(`../../../../webapp/src/locales/${language}.json`, import.meta.url)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ refusal: sentences })
  },
)
