import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { errorPageTexts } from './error-page-texts.ts'

test.each(Object.entries(errorPageTexts))(
  'the sentences of the error page are those of the web application: %s',
  async (language, { sentences, askSender }) => {
    const messagesIn = async (file: string): Promise<unknown> =>
      JSON.parse(
        await readFile(new URL(`../../../../webapp/src/locales/${file}.json`, import.meta.url), 'utf8'),
      )
    expect(await messagesIn(language)).toMatchObject({ refusal: sentences })
    expect(await messagesIn(`receiving/receiving-${language}`)).toMatchObject({ receiving: { askSender } })
  },
)
